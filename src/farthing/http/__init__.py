"""The HTTP kernel: everything that all resources share on the way in and out."""
