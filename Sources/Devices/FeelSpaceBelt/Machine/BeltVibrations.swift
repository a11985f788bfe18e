import Bluetooth
import DeviceKit

/// What vibrates because of a command, as far as the bridge can know: the belt reports none of it.
///
/// A vibration counts from the moment that it is handed to the link, and its length from the belt's acknowledgement.
struct BeltVibrations: Hashable, Sendable {
    /// For how long a signal of the belt's own may play; no source says it.
    static let longestSignal = Duration.seconds(10)

    private struct Entry: Hashable, Sendable {
        /// When it is over; nil where only a stop ends it.
        var end: Duration?
        var isNavigation: Bool
    }

    private struct Pending: Hashable, Sendable {
        var command: BeltVibrationCommand
        var source: BeltVibrationSource
    }

    private var channels: [UInt8: Entry] = [:]
    private var signalEnd: Duration?
    private var pending: [WriteToken: Pending] = [:]
    /// Channels that were stopped in a mode in which that may have had no effect.
    private var owed: Set<UInt8> = []
    /// What the channels were commanded to do and the belt has taken.
    var commanded = BeltCommandedChannels()

    // MARK: Writes

    /// A command is handed to the link.
    mutating func sent(
        _ command: BeltVibrationCommand, as token: WriteToken, from source: BeltVibrationSource,
        at now: Duration
    ) {
        let item = Pending(command: command, source: source)
        pending[token] = item
        note(item, at: now)
    }

    /// The belt acknowledged a command or refused it; `mode` is the mode in which it did.
    mutating func completed(_ token: WriteToken, isDone: Bool, in mode: BeltMode?, at now: Duration) {
        guard let item = pending.removeValue(forKey: token), isDone else { return }
        commanded.take(item.command, from: item.source, in: mode, at: now)
        switch item.command {
        case .stop(let channel?) where mode == .app: end(channel)
        case .stop(nil) where mode == .app: (channels, owed) = ([:], [])
        case .stop: break
        case .configure, .pulse, .system:
            if item.command.startsVibration {
                note(item, at: now)
            } else if let channel = item.command.configuredChannel, mode?.obeysStops == true {
                end(channel)
            }
        }
    }

    /// The belt plays a signal of its own, of which the length is unknown.
    mutating func signalled(at now: Duration) { signalEnd = now + Self.longestSignal }

    private mutating func note(_ item: Pending, at now: Duration) {
        guard item.command.startsVibration else { return }
        guard let channel = item.command.configuredChannel else { return signalled(at: now) }
        if item.command.clearsOthers { (channels, owed) = ([:], []) }
        channels[channel] = Entry(
            end: item.command.length.map { now + $0 }, isNavigation: item.source == .navigation)
        owed.remove(channel)
    }

    private mutating func end(_ channel: UInt8) {
        channels[channel] = nil
        owed.remove(channel)
    }

    /// The link is gone, and app mode with it: what the belt takes in other modes may go on.
    mutating func linkLost() {
        pending = [:]
        owed = []
        commanded = BeltCommandedChannels()
        channels = channels.filter { $0.key == 0 && $0.value.end != nil }
    }

    // MARK: What may be felt

    /// Channels that a command other than navigation left vibrating until they are stopped.
    var endless: [UInt8] {
        channels.filter { $0.value.end == nil && !$0.value.isNavigation }.keys.sorted()
    }

    /// Whether a vibration is on its way to the belt.
    var isAnyOnItsWay: Bool { pending.values.contains { $0.command.startsVibration } }

    /// Whether a signal of the belt's own may play.
    func mayBeSignal(at now: Duration) -> Bool { signalEnd.map { now < $0 } ?? false }

    /// Whether a channel may vibrate.
    func mayVibrate(_ channel: UInt8, at now: Duration) -> Bool {
        if let entry = channels[channel], entry.end.map({ now < $0 }) ?? true { return true }
        return pending.values.contains {
            $0.command.startsVibration && $0.command.configuredChannel == channel
        }
    }

    /// Whether a command's vibration may be felt in a mode: outside app mode only channel 0 is.
    func mayBeFelt(in mode: BeltMode?, at now: Duration) -> Bool {
        if isAnyOnItsWay || mayBeSignal(at: now) { return true }
        return channels.keys.contains { channel in
            (channel == 0 || mode == .app || mode == nil) && mayVibrate(channel, at: now)
        }
    }

    // MARK: Stops without certain effect

    /// Remembers that a channel, or with nil all of them, was stopped in a mode in which the belt may not obey, or
    /// in which the channel only rests: whether channels come back with app mode is unknown.
    mutating func owe(_ channel: UInt8?, in mode: BeltMode?, at now: Duration) {
        guard mode != .app else { return }
        for candidate in channels.keys where channel == nil || channel == candidate {
            guard mayVibrate(candidate, at: now) else { continue }
            if candidate != 0 || mode?.obeysStops != true { owed.insert(candidate) }
        }
    }

    /// Takes what is to be written in a new mode for the stops before it.
    mutating func takeOwed(in mode: BeltMode) -> [BeltVibrationCommand] {
        guard mode.obeysStops else { return [] }
        let due = owed.filter { $0 == 0 || mode == .app }.sorted()
        owed.subtract(due)
        return due.map { $0 == 0 ? .noVibration : .stop(channel: $0) }
    }
}

extension BeltMode {
    /// Whether the belt is certain to take a stop in one of its forms; the protocol leaves it open for a pause, in
    /// which nothing vibrates, and for calibration.
    var obeysStops: Bool {
        switch self {
        case .wait, .compass, .crossing, .app: true
        case .standby, .pause, .calibration: false
        }
    }
}
