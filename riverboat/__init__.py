"""Riverboat: the library of a poker network. What poker is, and how a service lives."""
