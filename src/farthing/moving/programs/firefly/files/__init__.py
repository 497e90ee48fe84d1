"""Opens the files of Firefly III, and reads their objects and fields."""
