"""Attachments are files of bills and transactions, such as invoices, receipts and contracts."""
