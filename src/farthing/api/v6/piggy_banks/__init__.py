"""A piggy bank is a part of the money of an account, set aside for a goal."""
