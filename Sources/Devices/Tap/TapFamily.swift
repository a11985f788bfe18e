public import Bluetooth
public import DeviceKit

/// TAP wearables, Tap Strap, Tap Strap 2 and TapXR: finger taps, mouse, gestures, raw sensors and haptics.
///
/// Facts come from the maker's published SDKs (tap-ios-sdk, tap-android-sdk, tap-python-sdk);
/// `docs/protocols/tap.md` names each one's place.
public struct TapFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "tap"
    /// The name as its maker writes it.
    public let displayName = "TAP"
    /// Several are worn at once, so each carries an identifier.
    public let naming = Naming.each

    /// What a TAP needs of the link: a bond first of all, without which a host may not even see everything.
    public let requirements = LinkRequirements(
        required: TapGATT.required, substitutes: TapGATT.framed, optional: TapGATT.optional, bonding: .always,
        bondingAdvice: "switch the TAP on and see that no telephone or other computer is connected to it: it "
            + "takes one at a time",
        isInputDevice: true)

    /// Taps spell what a person types, and the sensors of the fingers tell it too.
    public let privateCharacteristics: Set<CharacteristicID> = [TapGATT.taps, TapGATT.raw, TapGATT.frames]

    /// What a configuration may say of TAPs.
    public var settings: [Field] { TapSettings.handle.fields }

    /// What the maker's kits set for TAPs to come, and on request for those that are connected.
    public let changeableSettings = ["default_input_mode", "default_xr_state"]

    /// What TAPs say and do.
    public var features: [Feature] {
        Self.eventFeatures + Self.modeFeatures + Self.sensingFeatures + Self.deviceFeatures
            + Self.hapticFeatures
    }

    /// Makes the family.
    public init() {}

    /// Whether it is a TAP: by the service UUID, or by a name that begins with `Tap` where the services that are
    /// known do not speak against it. The UUID stands in the scan response only, and the owner may have changed
    /// the name.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        if advertisement.services.contains(TapGATT.tapService) { return true }
        guard let name = advertisement.name, name.hasPrefix(TapGATT.namePrefix) else { return false }
        return advertisement.services.isEmpty || advertisement.services.contains(TapGATT.inputService)
    }

    /// That of the service UUID where it is advertised, otherwise that of the beginning of a name.
    public func rank(of advertisement: Advertisement) -> MatchRank {
        advertisement.services.contains(TapGATT.tapService)
            ? MatchRank(.identifier) : MatchRank(.partialName, literals: TapGATT.namePrefix.count)
    }

    /// Makes the state machine of one TAP.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        TapMachine(TapSettings.handle.parse(context.settings))
    }
}
