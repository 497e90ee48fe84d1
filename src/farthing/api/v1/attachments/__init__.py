"""Attachments are files attached to bills and transactions, such as invoices, receipts and contracts."""
