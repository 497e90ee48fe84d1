"""Tokens are keys for programs. They limit what a program may do, and for how long."""
