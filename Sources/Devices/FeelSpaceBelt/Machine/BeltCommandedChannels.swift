import DeviceKit

/// The feature that made a channel vibrate.
enum BeltVibrationSource: Named {
    case vibrate
    case pulse
    case navigation
    case haptic
    case notify
    case gatt

    /// Determines the source of a vibration command that a user sent directly.
    init(_ command: BeltVibrationCommand) {
        self = if case .pulse = command { .pulse } else { .vibrate }
    }

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

/// What commands have set on each channel, as far as the belt has acknowledged it. This type is used only for the
/// published state; ``BeltVibrations`` determines what must be stopped.
///
/// A command counts from the belt's acknowledgment, and only if the belt accepts it in its mode. No document states
/// whether a channel continues after a change of mode; this type assumes that it does not.
struct BeltCommandedChannels: Hashable, Sendable {
    /// What a vibrating channel plays.
    struct Entry: Hashable, Sendable {
        var command: BeltVibrationCommand
        var source: BeltVibrationSource
        /// When the vibration ends; nil if only a stop ends it.
        var end: Duration?
    }

    private(set) var entries: [UInt8: Entry] = [:]

    /// The time at which the next vibration ends automatically; nil if none does.
    var nextEnd: Duration? { entries.values.compactMap(\.end).min() }

    /// Records a command that the belt acknowledged in a mode.
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

    /// Handles a change of the belt's mode, after which the channels may no longer vibrate.
    mutating func changed(from old: BeltMode?, to new: BeltMode) {
        if old == .app || new == .pause || new == .standby { entries = [:] }
    }

    /// Removes vibrations that are over.
    mutating func expire(at now: Duration) {
        guard let nextEnd, nextEnd <= now else { return }
        entries = entries.filter { $0.value.end.map { now < $0 } ?? true }
    }
}
