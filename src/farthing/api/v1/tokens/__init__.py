"""Keys for programs: what each may do, until when, and when it was last used."""
