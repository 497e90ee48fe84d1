"""How is everything kept safe elsewhere, and brought back? One file, made while the server runs, that proves itself."""
