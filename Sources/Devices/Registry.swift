public import DeviceKit

/// Every family of devices that the bridge knows.
public enum Registry {
    /// The families, in the order in which an advertisement is offered to them and documentation lists them.
    public static let families: [any DeviceFamily] = [
        BeltFamily(),
        TapFamily(),
        RobotFamily(),
    ]
}
