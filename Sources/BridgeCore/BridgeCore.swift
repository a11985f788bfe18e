// BridgeCore: being built.
