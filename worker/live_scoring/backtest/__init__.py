"""What a policy would have said of runs of the past, and where another would have disagreed."""
