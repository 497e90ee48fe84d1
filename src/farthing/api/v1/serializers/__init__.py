"""Turns stored objects into the JSON of answers: accounts, transactions and all that other nouns show too."""
