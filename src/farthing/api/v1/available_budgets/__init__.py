"""How much there is to budget with in a period, usually a month."""
