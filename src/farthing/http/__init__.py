"""The mechanics of HTTP: everything that all resources share on the way in and out."""
