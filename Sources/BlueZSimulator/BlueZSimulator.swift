// BlueZSimulator: being built.
