"""What goes out: documents, pages, tags, errors."""
