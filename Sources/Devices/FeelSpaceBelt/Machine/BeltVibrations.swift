import Bluetooth
import DeviceKit

/// The vibrations that commands may have caused. The belt does not report vibrations.
///
/// A vibration counts from the moment when the bridge passes it to the link. Its duration counts from the belt's
/// acknowledgment.
struct BeltVibrations: Hashable, Sendable {
    /// The longest assumed duration of a system signal; no source documents it.
    static let longestSignal = Duration.seconds(10)

    private struct Entry: Hashable, Sendable {
        /// The end of the vibration; nil if only a stop ends it.
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
    /// The channels whose last stop may have had no effect in the belt's mode, so that the stop must be repeated.
    private var owed: Set<UInt8> = []
    /// What commands have set on the channels, as far as the belt has acknowledged it.
    var commanded = BeltCommandedChannels()

    // MARK: Writes

    /// Records a vibration command that the bridge passes to the link.
    mutating func sent(
        _ command: BeltVibrationCommand, as token: WriteToken, from source: BeltVibrationSource,
        at now: Duration
    ) {
        let item = Pending(command: command, source: source)
        pending[token] = item
        note(item, at: now)
    }

    /// Records that the belt acknowledged or refused a command, in the given mode.
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

    /// Records that the belt plays a system signal, whose duration is unknown.
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

    /// Handles the loss of the link, which ends app mode. Vibrations that the belt accepts in other modes may
    /// continue.
    mutating func linkLost() {
        pending = [:]
        owed = []
        commanded = BeltCommandedChannels()
        channels = channels.filter { $0.key == 0 && $0.value.end != nil }
    }

    // MARK: Possible vibrations

    /// The channels on which commands started endless vibrations, except navigation.
    var endless: [UInt8] {
        channels.filter { $0.value.end == nil && !$0.value.isNavigation }.keys.sorted()
    }

    /// Whether a vibration is being written to the belt.
    var isAnyOnItsWay: Bool { pending.values.contains { $0.command.startsVibration } }

    /// Whether a system signal may play.
    func mayBeSignal(at now: Duration) -> Bool { signalEnd.map { now < $0 } ?? false }

    /// Whether a channel may vibrate.
    func mayVibrate(_ channel: UInt8, at now: Duration) -> Bool {
        if let entry = channels[channel], entry.end.map({ now < $0 }) ?? true { return true }
        return pending.values.contains {
            $0.command.startsVibration && $0.command.configuredChannel == channel
        }
    }

    /// Whether a commanded vibration may be felt in a mode. Outside app mode, this is only possible on channel 0.
    func mayBeFelt(in mode: BeltMode?, at now: Duration) -> Bool {
        if isAnyOnItsWay || mayBeSignal(at: now) { return true }
        return channels.keys.contains { channel in
            (channel == 0 || mode == .app || mode == nil) && mayVibrate(channel, at: now)
        }
    }

    // MARK: Uncertain stops

    /// Records a stop of a channel, or of all channels if nil, that must be repeated. In its present mode, the belt may
    /// ignore the stop, or only suspend the channel. Whether suspended channels resume in app mode is unknown.
    mutating func owe(_ channel: UInt8?, in mode: BeltMode?, at now: Duration) {
        guard mode != .app else { return }
        for candidate in channels.keys where channel == nil || channel == candidate {
            guard mayVibrate(candidate, at: now) else { continue }
            if candidate != 0 || mode?.obeysStops != true { owed.insert(candidate) }
        }
    }

    /// Returns the writes that repeat, in a new mode, the earlier stops that the belt may have ignored. These stops are
    /// no longer owed.
    mutating func takeOwed(in mode: BeltMode) -> [BeltVibrationCommand] {
        guard mode.obeysStops else { return [] }
        let due = owed.filter { $0 == 0 || mode == .app }.sorted()
        owed.subtract(due)
        return due.map { $0 == 0 ? .noVibration : .stop(channel: $0) }
    }
}

extension BeltMode {
    /// Whether the belt is certain to accept a stop: the command `30`, or a vibration without strength on channel 0.
    /// The protocol does not specify this for pause mode, in which nothing vibrates, and for calibration.
    var obeysStops: Bool {
        switch self {
        case .wait, .compass, .crossing, .app: true
        case .standby, .pause, .calibration: false
        }
    }
}
