// DeviceKit: being built.
