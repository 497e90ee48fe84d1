"""A piggy bank sets aside a part of an account's money, until a target amount is reached."""
