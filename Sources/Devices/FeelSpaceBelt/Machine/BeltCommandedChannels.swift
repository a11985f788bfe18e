import DeviceKit

/// The feature by which a channel came to vibrate.
enum BeltVibrationSource: Named {
    case vibrate
    case pulse
    case navigation
    case haptic
    case notify
    case gatt

    /// What a client asks for directly.
    init(_ command: BeltVibrationCommand) {
        self = if case .pulse = command { .pulse } else { .vibrate }
    }

    /// The feature's name.
    var name: String {
        switch self {
        case .vibrate: BeltFamily.vibrate.name
        case .pulse: BeltFamily.pulse.name
        case .navigation: BeltFamily.navigation.name
        case .haptic: Feature.hapticName
        case .notify: BeltFamily.notify.name
        case .gatt: BeltFamily.gatt.name
        }
    }
}

/// What each channel was commanded to do, as far as the belt has taken it: for showing, where ``BeltVibrations`` is for
/// stopping.
///
/// A command counts from the belt's acknowledgement and under the rule by which the belt takes it. The belt does not
/// say whether its channels survive another mode; they do not here.
struct BeltCommandedChannels: Hashable, Sendable {
    /// One channel that vibrates.
    struct Entry: Hashable, Sendable {
        var command: BeltVibrationCommand
        var source: BeltVibrationSource
        /// When it is over; nil where only a stop ends it.
        var end: Duration?
    }

    private(set) var entries: [UInt8: Entry] = [:]

    /// The moment at which the next channel ends by itself.
    var nextEnd: Duration? { entries.values.compactMap(\.end).min() }

    /// The belt acknowledged a command in a mode.
    mutating func take(
        _ command: BeltVibrationCommand, from source: BeltVibrationSource, in mode: BeltMode?,
        at now: Duration
    ) {
        guard mode == .app || command.isAcceptedOutsideAppMode && mode != .standby else { return }
        if command.clearsOthers { entries = [:] }
        switch command {
        case .stop(nil): entries = [:]
        case .stop(let channel?): entries[channel] = nil
        case .configure, .pulse:
            guard let channel = command.configuredChannel else { return }
            let entry = Entry(command: command, source: source, end: command.length.map { now + $0 })
            entries[channel] = command.startsVibration ? entry : nil
        case .system: break
        }
    }

    /// The belt is in another mode than before.
    mutating func changed(from old: BeltMode?, to new: BeltMode) {
        if old == .app || new == .pause || new == .standby { entries = [:] }
    }

    /// Forgets what is over.
    mutating func expire(at now: Duration) {
        guard let nextEnd, nextEnd <= now else { return }
        entries = entries.filter { $0.value.end.map { now < $0 } ?? true }
    }
}
