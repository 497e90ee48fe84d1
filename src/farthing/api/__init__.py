"""The doors for programs. A dialect is one folder: names and types of its requests and answers, and its routes."""
