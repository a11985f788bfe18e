public import Bluetooth
public import DeviceKit
import JSON

/// A harmless family `lamp`, some of whose features have the names of hazardous and private ones of other families.
public struct AlikeFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "lamp"
    /// The name as a maker would write it.
    public let displayName = "Example lamp"
    /// Each device has an identifier in its name.
    public let naming = Naming.each
    /// Nothing.
    public let requirements = LinkRequirements(required: [])
    /// None.
    public let settings: [Field] = []
    /// A switch `power`, a stop `drive` and a report `tapped`; `light` is a name of its own.
    public let features = [
        Self.command("power", []), Self.command("drive", .stop), Self.command("light", []),
        Feature("tapped", "The lamp was tapped.", report: Report(.event, .boolean, example: true)),
    ]

    /// Makes the family.
    public init() {}

    /// None.
    public func recognises(_ advertisement: Advertisement) -> Bool { false }
    /// One that does nothing.
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
