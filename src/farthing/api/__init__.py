"""Serves other programs. Each dialect is one folder: its request and answer types, and its routes."""
