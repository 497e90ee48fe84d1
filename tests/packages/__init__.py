"""What people install and put in front of it, for real; run by `make packages`."""
