"""An available budget is the amount that can be budgeted in a period, usually a month."""
