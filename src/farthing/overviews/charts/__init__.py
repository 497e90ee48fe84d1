"""The figures of charts, period by period."""
