"""placeholder"""

ROUTES = ()
