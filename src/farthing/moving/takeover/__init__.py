"""Takes over the books of another program: makes what they name, books what they booked, and proves it."""
