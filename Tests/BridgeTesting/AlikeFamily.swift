public import Bluetooth
public import DeviceKit
import JSON

/// A harmless family `lamp`. Some of its features have the names of hazardous and private features of other families.
public struct AlikeFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "lamp"
    /// The display name.
    public let displayName = "Example lamp"
    /// Devices are named by their identifier.
    public let naming = Naming.each
    /// No characteristics are required.
    public let requirements = LinkRequirements(required: [])
    /// The family has no settings.
    public let settings: [Field] = []
    /// A switch `power`, a stop `drive`, a report `tapped`, and `light`, a name that no other family uses.
    public let features = [
        Self.command("power", []), Self.command("drive", .stop), Self.command("light", []),
        Feature("tapped", "The lamp was tapped.", report: Report(.event, .boolean, example: true)),
    ]

    /// Creates the family.
    public init() {}

    /// Always false.
    public func recognises(_ advertisement: Advertisement) -> Bool { false }
    /// Returns a machine that does nothing.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private static func command(_ name: String, _ traits: Command.Traits) -> Feature {
        Feature(
            name, "Sets the \(name) of the lamp.", report: Report(.state, .boolean, example: true),
            command: Command(
                [Field(name, .boolean, required: true, "The new value.")], shorthands: [.field(name)],
                traits: traits, example: "on"))
    }

    private struct Machine: DeviceMachine {
        var will = Will.none
        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {}
    }
}
