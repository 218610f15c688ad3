"""Engines: what answers asks. Each is imported only when it is chosen."""
