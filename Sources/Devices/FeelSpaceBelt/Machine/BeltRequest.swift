import Bluetooth
import DeviceKit

/// A command to the belt that is queued or in progress.
struct BeltRequest: Hashable, Sendable {
    /// The maximum number of queued commands. A belt confirms a command within a fraction of a second.
    static let limit = 64

    var id: CommandID
    var feature: String
    var arguments: Arguments

    /// The arguments of a navigation command; nil for another command.
    var navigation: BeltFamily.NavigationCommand? {
        feature == BeltFamily.navigation.name ? try? BeltFamily.navigation.parse(arguments) : nil
    }

    /// The vibration of a `gatt` command; nil for another command.
    private var rawVibration: BeltVibrationCommand? {
        guard let asked = try? BeltFamily.gatt.parse(arguments), let hex = asked.hex,
            UUID(asked.characteristic) == BeltGATT.vibration.uuid
        else { return nil }
        return Hex.bytes(hex).flatMap { BeltVibrationCommand($0) }
    }

    /// Whether the request would make a channel vibrate; nil means any channel.
    func wouldBeFelt(on channel: UInt8?) -> Bool {
        func isOn(_ other: UInt8?) -> Bool { channel == nil || other == channel }
        return switch feature {
        case Feature.hapticName: channel == nil
        case BeltFamily.vibrate: isOn((try? BeltFamily.vibrate.parse(arguments))?.channel.number)
        case BeltFamily.pulse: isOn((try? BeltFamily.pulse.parse(arguments))?.channel.number)
        case BeltFamily.notify, BeltFamily.signal: isOn(BeltSignal.notificationChannel)
        case BeltFamily.navigation:
            isOn(BeltSignal.navigationChannel) && [nil, .navigating].contains(navigation?.state)
        case BeltFamily.gatt: rawVibration.map { isOn($0.configuredChannel) } ?? false
        default: false
        }
    }
}

extension WaitingLine<BeltRequest> {
    /// Appends a navigation command, which replaces older navigation commands in the queue. Returns the identifiers of
    /// the replaced commands.
    ///
    /// If an older command pauses or resumes and the newer command only has a direction, the result pauses or resumes
    /// too. A queued stop is never replaced, and a stop replaces all navigation commands before it.
    mutating func coalesce(_ request: BeltRequest) -> [CommandID] {
        let isStop = request.navigation?.state == .stopped
        let older = remove {
            $0.feature == request.feature && (isStop || $0.navigation?.state != .stopped)
        }
        var newest = request
        if !isStop, var merged = request.navigation {
            for before in older.reversed().compactMap(\.navigation) {
                merged.state = merged.state ?? before.state
                merged.startsIfStopped = merged.startsIfStopped || before.startsIfStopped
                guard merged.direction == nil else { continue }
                merged.direction = before.direction
                merged.reference = merged.reference ?? before.reference
                merged.signal = merged.signal ?? before.signal
            }
            newest.arguments = BeltFamily.navigation.arguments(merged)
        }
        append(newest)
        return older.map(\.id)
    }
}
