"""An import job reads files of banks and of other programs into the books."""
