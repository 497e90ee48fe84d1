"""What becomes of the rows of a file: planned, then booked."""
