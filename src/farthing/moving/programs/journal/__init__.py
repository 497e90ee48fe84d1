"""Reads journals of hledger and ledger."""
