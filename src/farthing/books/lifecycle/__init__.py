"""Updates what depends on an object when it is added, changed, removed or restored by an undo."""
