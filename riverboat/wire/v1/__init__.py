"""The messages and services of the wire, generated from protos/ by `make proto`; never edited."""
