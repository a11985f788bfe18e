import DeviceKit

/// A capability that only some TAPs have. The required versions are those in `FeatureVersionSupport.java` of
/// tap-android-sdk.
struct TapCapability: Hashable, Sendable {
    /// The first hardware version of the TapXR.
    static let firstXR = TapVersion(40_000)

    /// The name of the capability in an error message.
    let name: String
    let hardware: TapVersion
    /// The first hardware version without the capability; nil if all later versions have it.
    var endOfHardware: TapVersion?
    let firmware: TapVersion

    static let textAndController = Self(
        name: "setting the input mode", hardware: TapVersion(30_200), firmware: TapVersion(10_000))
    static let mouseHID = Self(
        name: "input mode controller_mouse_hid", hardware: TapVersion(30_200), endOfHardware: firstXR,
        firmware: TapVersion(20_303))
    static let fullHID = Self(
        name: "input mode controller_full_hid", hardware: TapVersion(30_200), firmware: TapVersion(20_405))
    static let raw = Self(name: "input mode raw", hardware: TapVersion(30_200), firmware: TapVersion(20_325))
    static let haptics = Self(name: "vibrate", hardware: TapVersion(30_200), firmware: TapVersion(20_325))
    static let xrState = Self(name: "xr_state", hardware: firstXR, firmware: TapVersion(30_409))

    /// Returns the capability that an input mode requires.
    static func of(_ mode: TapInputMode) -> Self {
        switch mode {
        case .text, .controller: textAndController
        case .controllerMouseHID: mouseHID
        case .controllerFullHID: fullHID
        case .raw: raw
        }
    }

    /// The required hardware and firmware versions, as text.
    var needs: String {
        let range =
            endOfHardware.map { "hardware \(hardware) or newer, but older than \($0)" }
            ?? "hardware \(hardware) or newer"
        return "\(range), and firmware \(firmware) or newer"
    }
}

/// The hardware and firmware versions of a connected TAP, as far as known.
struct TapVersions: Hashable, Sendable {
    var hardware: TapVersion?
    var firmware: TapVersion?
    /// Whether the TAP has a characteristic that only a TapXR has. Used only if the hardware version is unknown.
    var looksLikeXR = false

    var isXR: Bool { hardware.map { $0 >= TapCapability.firstXR } ?? looksLikeXR }

    /// The name of the model. The limit between Tap Strap and Tap Strap 2 is derived from conditions in the SDKs.
    var model: String? {
        if isXR { return "TapXR" }
        return hardware.map { $0 < TapVersion(30_300) ? "Tap Strap" : "Tap Strap 2" }
    }

    /// Whether the device has the capability. An unknown version counts as sufficient.
    func has(_ capability: TapCapability) -> Bool {
        let hardware = hardware ?? (looksLikeXR ? TapCapability.firstXR : TapVersion(30_300))
        return hardware >= capability.hardware && capability.endOfHardware.map { hardware < $0 } ?? true
            && firmware.map { $0 >= capability.firmware } ?? true
    }

    /// Throws an error if the device lacks the capability.
    func require(_ capability: TapCapability) throws(CommandError) {
        guard !has(capability) else { return }
        throw CommandError(.notSupported, "\(capability.name) needs \(capability.needs); \(description)")
    }

    private var description: String {
        func text(_ version: TapVersion?) -> String { version?.description ?? "of unknown version" }
        return "this \(model ?? "TAP") has hardware \(text(hardware)) and firmware \(text(firmware))"
    }
}
