// VirtualDevices: being built.
