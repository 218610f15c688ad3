"""Engines: what answers asks. Each is imported only when it is chosen, by its kind's module name."""
