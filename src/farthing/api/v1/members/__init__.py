"""Shares books: lists the members of your books, the books you may use, and invitations."""
