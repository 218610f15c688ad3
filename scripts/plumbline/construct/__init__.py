"""Building benchmarks: from a pool of instructions to adversarial pairs (LLMBar, section 2, appendices A and F)."""
