// JSON: being built.
