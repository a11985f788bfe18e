// BlueZ: being built.
