// DeviceCatalog: being built.
