"""Sets up a new installation. The user who opens the link that the server prints becomes the owner."""
