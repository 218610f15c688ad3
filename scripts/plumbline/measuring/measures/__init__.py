"""Measures, each group of them in a module of its own; a new module is registered by being there."""
