public import Bluetooth
public import DeviceKit

/// TAP wearables, Tap Strap, Tap Strap 2 and TapXR: finger taps, mouse, gestures, raw sensors and haptics.
///
/// Facts come from the maker's published SDKs (tap-ios-sdk, tap-android-sdk, tap-python-sdk); `docs/protocols/tap.md`
/// names the source of each.
public struct TapFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "tap"
    /// The product name as its maker writes it.
    public let displayName = "TAP"
    /// Users can wear several TAPs at once, so the name of each TAP contains an identifier.
    public let naming = Naming.each

    /// What a TAP requires of its link. A bond is required, because a host without a bond may not receive all
    /// characteristics.
    public let requirements = LinkRequirements(
        required: TapGATT.required, substitutes: TapGATT.framed, optional: TapGATT.optional, bonding: .always,
        bondingAdvice: "switch the TAP on and check that no phone or other computer is connected to it: it "
            + "accepts one connection at a time",
        isInputDevice: true, mayUseProxy: true)

    /// Taps contain the text that the user types, and the sensor values of the fingers also reveal this text.
    public let privateCharacteristics: Set<CharacteristicID> = [TapGATT.taps, TapGATT.raw, TapGATT.frames]

    /// The settings of TAPs.
    public var settings: [Field] { TapSettings.handle.fields }

    /// The settings that users can change without a reload. As in the maker's SDKs, a change applies to TAPs that
    /// connect later and, on request, to connected TAPs.
    public let changeableSettings = ["default_input_mode", "default_xr_state"]

    /// The features of TAPs.
    public var features: [Feature] {
        Self.eventFeatures + Self.modeFeatures + Self.sensingFeatures + Self.deviceFeatures
            + Self.hapticFeatures
    }

    /// Creates the family.
    public init() {}

    /// Whether the device is a TAP: by the service UUID, or by a name that starts with `Tap` if the known services do
    /// not contradict it. Only the scan response contains the UUID, and the owner can change the name.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        if advertisement.services.contains(TapGATT.tapService) { return true }
        guard let name = advertisement.name, name.hasPrefix(TapGATT.namePrefix) else { return false }
        return advertisement.services.isEmpty || advertisement.services.contains(TapGATT.inputService)
    }

    /// How well an advertisement identifies a TAP: by the service UUID if it is advertised, otherwise by a name prefix.
    public func rank(of advertisement: Advertisement) -> MatchRank {
        advertisement.services.contains(TapGATT.tapService)
            ? MatchRank(.identifier) : MatchRank(.partialName, literals: TapGATT.namePrefix.count)
    }

    /// Creates the state machine of one TAP.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        TapMachine(TapSettings.handle.parse(context.settings))
    }
}
