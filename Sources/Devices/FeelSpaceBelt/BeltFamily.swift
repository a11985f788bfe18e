public import Bluetooth
public import DeviceKit
public import JSON

/// The feelSpace naviBelt: a belt with 16 vibration motors, a compass and four buttons.
///
/// Facts come from feelSpace's published client libraries (FSLib-iOS, FSLib-Android, pybelt);
/// `docs/protocols/belt.md` names the source of each.
public struct BeltFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "belt"
    /// The product name as its maker writes it.
    public let displayName = "feelSpace naviBelt"
    /// The first belt has the name `belt`; the names of further belts contain an identifier.
    public let naming = Naming.single

    /// What a belt requires of its link. By default, a belt refuses clients that are not bonded with it. Over a Bluetooth
    /// proxy, it accepts only vibrations that it ends automatically.
    public let requirements = LinkRequirements(
        required: BeltGATT.required, optional: BeltGATT.optional, bonding: .onDemand,
        bondingAdvice: BeltMachine.pairingAdvice, mayUseProxy: true)

    /// The settings of belts.
    public var settings: [Field] { BeltSettings.handle.fields }

    /// The features of belts.
    public var features: [Feature] {
        Self.statusFeatures + Self.vibrationFeatures + Self.hapticFeatures + Self.signalFeatures
            + Self.parameterFeatures + Self.diagnosisFeatures
    }

    static let orientationPeriods = 20...65_535

    /// Creates the family.
    public init() {}

    /// Whether the device is a belt: one of the two service UUIDs, and a name that starts with `naviGuertel`,
    /// ignoring case.
    ///
    /// The UUID alone does not identify a belt, because other products use the same 128-bit UUID. FSLib-iOS and
    /// FSLib-Android ignore the case of the name too.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        guard let name = advertisement.name else { return false }
        return name.lowercased().hasPrefix(BeltGATT.namePrefix.lowercased())
            && !advertisement.services.isDisjoint(with: [BeltGATT.advertisedService, BeltGATT.controlService])
    }

    /// How well an advertisement identifies a belt: by two conditions, a service UUID and a name prefix.
    public func rank(of advertisement: Advertisement) -> MatchRank {
        MatchRank(.identifier, conditions: 2, literals: BeltGATT.namePrefix.count)
    }

    /// The features whose state the bridge on the next host continues: navigation, so that the belt keeps guiding the
    /// wearer.
    public var handedOver: [String] { [Self.navigation.name] }

    /// How long after the loss of a belt the bridge on the next host can continue its state (setting `intent_s`); nil
    /// if the setting is 0, which means never.
    public func handOverTime(_ settings: Arguments) -> Duration? {
        let time = BeltSettings.handle.parse(settings).intentTime
        return time > 0 ? .seconds(time) : nil
    }

    /// Whether the state of a feature is handed over: only if navigation currently shows a direction.
    public func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool {
        value["state"] == "navigating" && value["direction"]?.double != nil
    }

    /// Creates the state machine of one belt.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        BeltMachine(BeltSettings.handle.parse(context.settings))
    }
}
