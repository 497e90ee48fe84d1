"""Books that are shared: whose one may work in, who works in one's own, and invitations to it."""
