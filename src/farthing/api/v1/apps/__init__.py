"""Registers apps of others, and authorizes what each may do."""
