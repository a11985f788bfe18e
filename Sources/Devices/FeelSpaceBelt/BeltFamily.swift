public import Bluetooth
public import DeviceKit
public import JSON

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
        required: BeltGATT.required, optional: BeltGATT.optional, bonding: .onDemand,
        bondingAdvice: BeltMachine.pairingAdvice)

    /// What a configuration may say of belts.
    public var settings: [Field] { BeltSettings.handle.fields }

    /// What belts say and do.
    public var features: [Feature] {
        Self.statusFeatures + Self.vibrationFeatures + Self.hapticFeatures + Self.signalFeatures
            + Self.parameterFeatures + Self.diagnosisFeatures
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
        return name.lowercased().hasPrefix(BeltGATT.namePrefix.lowercased())
            && !advertisement.services.isDisjoint(with: [BeltGATT.advertisedService, BeltGATT.controlService])
    }

    /// That of a service UUID and the beginning of a name.
    public func rank(of advertisement: Advertisement) -> MatchRank {
        MatchRank(.identifier, conditions: 2, literals: BeltGATT.namePrefix.count)
    }

    /// A wearer who is led goes on being led.
    public var handedOver: [String] { [Self.navigation.name] }

    /// As the settings say.
    public func handOverTime(_ settings: Arguments) -> Duration? {
        let time = BeltSettings.handle.parse(settings).intentTime
        return time > 0 ? .seconds(time) : nil
    }

    /// A direction that is shown.
    public func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool {
        value["state"] == "navigating" && value["direction"]?.double != nil
    }

    /// Makes the state machine of one belt.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        BeltMachine(BeltSettings.handle.parse(context.settings))
    }
}
