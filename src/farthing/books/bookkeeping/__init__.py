"""The one way in for money: composing, finding accounts by name, recording."""
