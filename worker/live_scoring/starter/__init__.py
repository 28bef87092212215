"""A configuration to start from, made of runs that were seen."""
