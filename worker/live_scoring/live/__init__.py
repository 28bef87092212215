"""The live worker: a Faust app that hosts the scoring and the verdict loop."""
