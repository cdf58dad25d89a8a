"""Betting has no call of its own: players reach it by commands, through the session.

Health and reflection are served by the runtime for every process. Nothing here is registered.
"""
