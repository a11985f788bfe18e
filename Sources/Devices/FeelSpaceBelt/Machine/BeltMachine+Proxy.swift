import Bluetooth
import DeviceKit

// The commands that a belt accepts over a Bluetooth proxy. If the host of the bridge vanishes, the proxy keeps the link
// for up to 150 s, and nothing can write to the belt. So a command may only start a vibration that the belt ends
// automatically.
extension BeltMachine {
    /// The longest vibration that is accepted over a proxy.
    static let longestOverProxy = Duration.seconds(5)
    /// The modes that a command may request over a proxy: those in which the belt does not vibrate on its own.
    private static let modesOverProxy: [BeltMode] = [.wait, .app, .pause, .standby]

    /// Throws an error if the command is not allowed over this link. Over a proxy, everything that is not listed here is
    /// refused.
    func requireAllowed(_ request: BeltRequest) throws(CommandError) {
        guard profile.isOverProxy else { return }
        typealias Belt = BeltFamily
        let arguments = request.arguments
        switch request.feature {
        // The duration of these vibrations is checked when they are carried out.
        case Belt.vibrate, Belt.pulse, Belt.notify, Feature.hapticName: return
        case Belt.sound, Belt.headingOffset, Belt.pairingRequired, Belt.orientation, Belt.deviceName,
            Belt.errorLog, Belt.calibration, Belt.rawValues:
            return
        case Belt.navigation where [.stopped, .paused].contains(request.navigation?.state): return
        case Belt.mode where try Self.modesOverProxy.contains(Belt.mode.parse(arguments).mode): return
        case Belt.accuracySignal where try Belt.accuracySignal.parse(arguments).value == .off: return
        case Belt.gatt where try Belt.gatt.parse(arguments).hex == nil: return
        case Belt.intensity where try !Belt.intensity.parse(arguments).hasFeedback: return
        case Belt.intensity:
            throw Self.proxyError("the vibration of feedback has an unknown duration: add \"feedback\":false")
        default: throw Self.proxyError("it refuses this \(request.feature)")
        }
    }

    /// Returns the vibration to write over this link. Throws an error if it is too long.
    ///
    /// The protocol does not define whether time passes for the channels that an exclusive channel suspends. Over a proxy,
    /// no vibration is exclusive, so that none can make another vibration last longer.
    ///
    /// - Parameter isExclusive: Whether the sender requested an exclusive vibration.
    func allowed(
        _ vibration: BeltVibrationCommand, isExclusive: Bool = false
    ) throws(CommandError) -> BeltVibrationCommand {
        guard profile.isOverProxy, vibration.startsVibration else { return vibration }
        guard let length = vibration.length else {
            throw Self.proxyError("found a vibration without an end, or of unknown duration")
        }
        try requireShort(length)
        guard !isExclusive else {
            throw Self.proxyError("exclusive could make the vibration of another channel last longer")
        }
        return vibration.besideOthers
    }

    /// Throws an error if a duration is too long for this link.
    func requireShort(_ length: Duration) throws(CommandError) {
        guard profile.isOverProxy, length > Self.longestOverProxy else { return }
        throw Self.proxyError("found \(Int((length / .milliseconds(1)).rounded(.up))) ms")
    }

    private static func proxyError(_ words: String) -> CommandError {
        CommandError(
            .proxy,
            "over a Bluetooth proxy the belt accepts only vibrations that it ends within 5 s, because nothing else "
                + "could end them; \(words)")
    }

    /// Pauses navigation if it would show a direction over a proxy, whatever resumed it: an earlier link, another bridge or
    /// the wearer. Returns whether it did.
    mutating func pausesOverProxy(_ effects: inout Effects) -> Bool {
        guard profile.isOverProxy, phase == .online, navigation.state == .navigating else { return false }
        navigation.state = .paused
        effects.remark(.warning, "navigation is paused: over a Bluetooth proxy the belt shows no direction")
        return true
    }
}
