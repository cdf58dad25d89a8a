"""One table: its events, state, fold and decisions."""
