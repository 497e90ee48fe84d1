"""An import job reads files from banks and other programs into the books."""
