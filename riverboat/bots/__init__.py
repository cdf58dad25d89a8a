"""Players made of code: a policy and a client."""
