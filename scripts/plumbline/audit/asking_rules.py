"""Which rules ask somebody. All others only compute from files that are there."""

from __future__ import annotations

ASKING = ("ask",)
"""Rules whose jobs load a model or ask an endpoint: they take long, cost money or GPUs, and a cluster may get them."""
TRANSCRIBING = ("ask", "ask_locally")
"""Rules that write transcripts, call by call."""
