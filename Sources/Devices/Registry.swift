public import DeviceKit

/// The built-in device families.
public enum Registry {
    /// The families, in the order of the documentation. If two families match an advertisement equally well, the
    /// first gets the device.
    public static let families: [any DeviceFamily] = [
        BeltFamily(),
        TapFamily(),
        RobotFamily(),
    ]
}
