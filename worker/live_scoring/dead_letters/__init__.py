"""Records that could not be used: what there is, why, and sending them back once it is mended."""
