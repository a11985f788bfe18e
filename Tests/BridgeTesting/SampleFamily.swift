public import Bluetooth
public import DeviceKit
import JSON

/// A small family with one feature of each kind, for tests of everything that all devices have in common.
public struct SampleFamily: DeviceFamily {
    private static let service: UUID = 0xAA00
    /// A characteristic for settings, which are written with response.
    public static let control = CharacteristicID(service: service, uuid: 0xAA01)
    /// A characteristic for reads and notifications.
    public static let status = CharacteristicID(service: service, uuid: 0xAA02)
    /// A characteristic for motion commands.
    public static let motor = CharacteristicID(service: service, uuid: 0xAA03)

    /// The name in configuration and topics.
    public var name = "sample"
    /// The display name.
    public let displayName = "Sample device"
    /// How devices are named.
    public var naming = Naming.single
    /// The requirements of the family.
    public var requirements = LinkRequirements(
        required: [control, status, motor], bondingAdvice: "press the button for 5 seconds")
    /// Whether `aim` is subscribed at QoS 0.
    public var isFleeting = false
    /// The presentations of `level` in Home Assistant.
    public var shown: [Presentation] = [.control("Level", of: Control("level"))]

    /// The features that are taken from a group; nil for all.
    public var groupFeatures: Set<String>?
    /// Whether the devices obey an emergency stop for certain.
    public var isStopCertain = true
    /// A revision that distinguishes versions of the family.
    public var revision = ""
    /// Where the family is declared.
    public var source = FamilySource.builtIn
    /// Why the devices cannot be used; nil if they can.
    public var fault: String?
    /// Whether the devices join without being named.
    public var joinsUnnamed = true
    /// Whether the devices are connected by request only.
    public var connectsOnRequest = false
    /// The rank of every advertisement.
    public var rank = MatchRank(.partialName)
    /// The features that the devices lack.
    public var missing: Set<String> = []
    /// The features with private reports.
    public var privateFeatures: Set<String> = []
    /// The characteristics with private values, such as typed input.
    public var privateCharacteristics: Set<CharacteristicID> = []

    /// The settings that the request `defaults` may change.
    public var changeableSettings: [String] = []

    /// Creates the family.
    public init() {}

    /// Returns whether ``groupFeatures`` contains the feature.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        groupFeatures?.contains(feature) ?? true
    }

    /// The fields of the configuration.
    public var settings = [Field("greeting", .text(0...20), default: "hello", "What is written first.")]

    /// One feature of every kind.
    public var features: [Feature] {
        all.filter { !missing.contains($0.name) }
            .map { privateFeatures.contains($0.name) ? $0.keptPrivate : $0 }
    }

    private var all: [Feature] {
        [
            Feature(
                "level", "A plain number.",
                report: Report(.state, .integer(0...255), unit: "%", example: 60),
                command: Command(
                    [Field("level", .integer(0...100), unit: "%", required: true, "The level.")],
                    shorthands: [.field("level")], example: 60), shown: shown),
            Feature(
                "mode", "An object, confirmed by the device.",
                report: Report(
                    .state,
                    [
                        Field("mode", .choice(Self.modes), "The mode."),
                        Field("stopped_by", .text(0...40), nullable: true, "The cause of the last stop."),
                    ], example: ["mode": "slow", "stopped_by": nil]),
                command: Command(
                    [Field("mode", .choice(Self.modes), required: true, "The mode.")],
                    shorthands: [.field("mode")], example: "slow"),
                shown: [
                    .control("Mode", of: Control("mode", state: .init(field: "mode"))),
                    .reading("Stopped by", of: "stopped_by", purpose: .diagnosis),
                ]),
            Feature(
                "pressed", "A button was pressed.",
                report: Report(
                    .event, [Field("button", .integer(0...255), "The button.")], example: ["button": 1]),
                shown: [.happening("Button", verb: "pressed", meaning: .button)]),
            Feature(
                "motion", "Where it is.",
                report: Report(
                    .stream, [Field("x", .integer(0...255), "The place.")], example: ["x": 12])),
            Feature(
                "aim", "Where it shall go.",
                command: Command(
                    [Field("direction", .angle, unit: "degrees", required: true, "The direction.")],
                    shorthands: [.field("direction")],
                    traits: isFleeting ? [.latest, .kept, .fleeting] : [.latest, .kept], example: 90)),
            Feature(
                "stop", "Stops it.",
                command: Command(
                    [Field("hard", .boolean, default: false, "At once.")], empty: [:], traits: .stop,
                    example: [:])),
            Feature(
                "halt", "Stops it, whatever is sent.",
                command: Command([], empty: [:], traits: .stop, example: [:])),
            Feature(
                "reset", "Makes it new.",
                command: Command(
                    [Field("confirm", .boolean, "Must be true.")], traits: .confirmed,
                    example: ["confirm": true])),
            Feature("mute", "Is never answered.", command: Command([], empty: [:], example: [:])),
        ]
    }

    static let modes = ["slow", "fast"]

    /// Recognizes every device whose name starts with the family's name.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix(name) ?? false
    }

    /// Returns ``rank``.
    public func rank(of advertisement: Advertisement) -> MatchRank { rank }

    /// Replies with level 42 to a read, and confirms a mode.
    public func reply(
        to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]
    ) -> DeviceReply {
        switch operation {
        case .read: DeviceReply(value: [42])
        case .write(let write) where write.value.first == 2:
            DeviceReply(notifications: [Self.status: write.value])
        default: DeviceReply()
        }
    }

    /// Creates the machine.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        SampleMachine(context, isStopCertain: isStopCertain)
    }
}
