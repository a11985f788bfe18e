// Bluetooth: being built.
