// BridgeTesting: being built.
