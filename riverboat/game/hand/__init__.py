"""One hand: its events, state, fold and decisions."""
