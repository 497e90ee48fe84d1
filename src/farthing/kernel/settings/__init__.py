"""How settings are described and parsed; `config.py` lists them."""
