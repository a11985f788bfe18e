import DeviceKit

/// A command that waits or is carried out.
struct BeltRequest: Hashable, Sendable {
    /// How many may wait; a belt confirms in a fraction of a second.
    static let limit = 64

    var id: CommandID
    var feature: String
    var arguments: Arguments

    /// What it asks of navigation; nil for another command.
    var navigation: BeltFamily.NavigationCommand? {
        feature == BeltFamily.navigation.name ? try? BeltFamily.navigation.parse(arguments) : nil
    }

    /// Whether it makes a channel vibrate, or with nil any.
    func wouldBeFelt(on channel: UInt8?) -> Bool {
        func isOn(_ other: UInt8?) -> Bool { channel == nil || other == channel }
        return switch feature {
        case Feature.hapticName: channel == nil
        case BeltFamily.vibrate: isOn((try? BeltFamily.vibrate.parse(arguments))?.channel.number)
        case BeltFamily.pulse: isOn((try? BeltFamily.pulse.parse(arguments))?.channel.number)
        case BeltFamily.notify, BeltFamily.signal: isOn(BeltSignal.notificationChannel)
        case BeltFamily.navigation:
            isOn(BeltSignal.navigationChannel) && [nil, .navigating].contains(navigation?.state)
        default: false
        }
    }
}

extension WaitingLine<BeltRequest> {
    /// Puts a navigation command at the end in place of an older one, and returns that one's identifier.
    ///
    /// A pause or a resumption that the older one asked for is not lost under a newer direction.
    mutating func coalesce(_ request: BeltRequest) -> CommandID? {
        guard let older = remove(where: { $0.feature == request.feature }).last else {
            append(request)
            return nil
        }
        var newest = request
        if var merged = request.navigation, let before = older.navigation {
            if merged.state == nil, before.state != .stopped { merged.state = before.state }
            if merged.direction == nil {
                merged.direction = before.direction
                merged.reference = merged.reference ?? before.reference
                merged.signal = merged.signal ?? before.signal
            }
            newest.arguments = BeltFamily.navigation.arguments(merged)
        }
        append(newest)
        return older.id
    }
}
