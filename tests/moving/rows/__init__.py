"""Do rows of files become what they should?"""
