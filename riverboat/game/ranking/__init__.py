"""Hand values: cards in, one comparable int out."""
