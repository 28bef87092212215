"""The check library, pure: `CHECKS` maps names to classes."""
