"""What records are: their format, the run that each became, and what was not understood."""
