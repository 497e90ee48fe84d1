"""Opens the files of Firefly III, and reads objects and fields out of them."""
