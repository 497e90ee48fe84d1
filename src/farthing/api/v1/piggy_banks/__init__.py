"""A piggy bank sets a part of an account's money aside for a target."""
