"""The network under simulated time and faults, and the auditor."""
