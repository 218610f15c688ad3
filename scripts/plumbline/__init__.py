"""Plumbline: knowing whether an LLM judge can be trusted."""
