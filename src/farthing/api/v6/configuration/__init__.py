"""Shows the configuration of the installation, as far as clients need it."""
