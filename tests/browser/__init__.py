"""What only a real browser shows."""
