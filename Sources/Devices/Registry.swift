public import DeviceKit

/// Every family of devices that the bridge knows.
public enum Registry {
    /// The families, in the order in which documentation lists them; of two that fit an advertisement equally well, the
    /// first gets the device.
    public static let families: [any DeviceFamily] = [
        BeltFamily(),
        TapFamily(),
        RobotFamily(),
    ]
}
