"""Files that belong to bills and transactions: invoices, receipts, contracts."""
