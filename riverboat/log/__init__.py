"""The log: one contract, an embedded and a Kafka implementation."""
