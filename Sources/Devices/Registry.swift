public import Bluetooth
public import DeviceKit

/// Every family of devices that the bridge knows.
public enum Registry {
    /// The families, in the order in which an advertisement is offered to them and documentation lists them.
    public static let families: [any DeviceFamily] = [
        BeltFamily(),
        TapFamily(),
        RobotFamily(),
    ]

    /// The family of a name; nil for a name that is not one.
    public static func family(named name: String) -> (any DeviceFamily)? {
        families.first { $0.name == name }
    }

    /// The family that recognises an advertisement; nil where none does.
    public static func family(recognising advertisement: Advertisement) -> (any DeviceFamily)? {
        families.first { $0.recognises(advertisement) }
    }
}
