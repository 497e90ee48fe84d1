"""What most nouns of the API do in the same way: their usual routes, their pages, how their objects are linked."""
