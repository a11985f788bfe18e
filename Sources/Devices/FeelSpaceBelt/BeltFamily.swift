public import Bluetooth
public import DeviceKit
import JSON

/// The feelSpace naviBelt: a belt with 16 vibration motors, a compass and four buttons.
///
/// Facts come from feelSpace's published client libraries (FSLib-iOS, FSLib-Android, pybelt);
/// `docs/protocols/belt.md` names each one's place.
public struct BeltFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "belt"
    /// The name as its maker writes it.
    public let displayName = "feelSpace naviBelt"
    /// One belt is `belt`; others carry an identifier.
    public let naming = Naming.single

    /// What the belt needs of the link; it refuses clients that are not bonded, by default.
    public let requirements = LinkRequirements(
        required: GATT.required, optional: GATT.optional, bonding: .onDemand,
        bondingAdvice: BeltMachine.pairingAdvice)

    /// What a configuration may say of belts.
    public let settings = [
        Field(
            "orientation", .boolean, default: true,
            "Whether the belt's orientation is published from the start."),
        Field(
            "orientation_period_ms", .integer(BeltFamily.orientationPeriods), unit: "ms", default: 500,
            "How often the belt tells its orientation; other values than 500 need firmware 52."),
        Field(
            "orientation_min_change", .number(0...180), unit: "degrees", default: 0,
            "By how much the heading must change for the orientation to be published again; 0 for always."),
    ]

    /// What belts say and do.
    public var features: [Feature] {
        Self.statusFeatures + Self.vibrationFeatures + Self.hapticFeatures + Self.signalFeatures
            + Self.parameterFeatures
    }

    static let orientationPeriods = 20...65_535

    /// Makes the family.
    public init() {}

    /// Whether it is a belt: one of the two service UUIDs, and a name that begins with `naviGuertel` in any case.
    ///
    /// The UUID alone does not tell a belt: other products use the same 128-bit one. FSLib-iOS and FSLib-Android
    /// compare the name without regard to case.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        guard let name = advertisement.name else { return false }
        return name.lowercased().hasPrefix(GATT.namePrefix.lowercased())
            && !advertisement.services.isDisjoint(with: [GATT.advertisedService, GATT.controlService])
    }

    /// Makes the state machine of one belt.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        BeltMachine(settings: context.settings)
    }
}
