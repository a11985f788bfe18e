import Bluetooth
import DeviceKit

/// The behavior of one TAP over any number of links.
struct TapMachine: DeviceMachine {
    /// Why the state machine writes something. The purpose determines how the completion of the write is handled.
    enum Purpose: Hashable, Sendable {
        /// The command from the queue ``slot`` that is being written.
        case slot(TapInputCommand)
        /// Starts a vibration of this duration.
        case vibration(CommandID, Duration)
        /// Writes the first rhythm of a pattern. The answer lists what the TAP cannot play.
        case haptic(CommandID, Answer)
        /// Gives the TAP a new name.
        case name(CommandID, String)
        /// Writes a frame of the framed protocol.
        case frame

        /// The command to answer; nil for writes from ``slot`` and ``frames``, which answer their commands themselves.
        var command: CommandID? {
            switch self {
            case .vibration(let id, _), .haptic(let id, _), .name(let id, _): id
            case .slot, .frame: nil
            }
        }
    }

    /// A command that gave the TAP a new name, and waits until the TAP reports its name.
    struct Renaming: Hashable, Sendable {
        var id: CommandID
        var name: String
    }

    /// The states that have a default until a command sets them.
    enum Commanded { case mode, xrState, sensing }

    static let slotTimer: TimerName = "slot"
    static let batchTimer: TimerName = "batch"
    static let timers = [
        slotTimer, refresh.timer, charge.timer, batchTimer, Handshake<Never>.timer, ClosingWords.timer,
        HapticPlayer<TapHapticSequence>.timer, answerTimer, pointerTimer,
    ]

    let publishesTaps: Bool
    var defaultMode: TapInputMode
    var defaultXRState: TapXRState
    /// The states that a command set. These states stay the same when the link is lost; all other states follow the
    /// defaults.
    var commanded: Set<Commanded> = []

    var phase = LinkPhase.offline
    var now = Duration.zero
    var profile = LinkProfile(characteristics: [:]) { didSet { isFramed = Self.isFramed(profile) } }
    /// Whether the connected TAP uses the framed protocol.
    private(set) var isFramed = false
    var handshake = Self.noHandshake
    var info = DeviceInfo()
    var versions = TapVersions()

    /// The input mode that the bridge sends periodically; nil before the first link, which starts with the default.
    var mode: TapInputCommand?
    /// The TapXR state that the bridge sends: `user_control` once per link, other states periodically.
    var xrState: TapXRState
    /// Whether the TapXR has received ``xrState`` on this link.
    var hasXRState = false
    /// The last input mode that was written on this link. Its sensitivities determine the scale of raw values.
    var sentMode: TapInputCommand? { didSet { updateWill() } }
    /// The last TapXR state that was written on this link.
    var sentXRState: TapXRState?
    var slot = TapCommandSlot()

    /// The requested functions of a TAP with the framed protocol; nil before the first link, which starts with the
    /// default.
    var wantedSensing: TapSensing?
    /// The ranges that a command set in the framed protocol.
    var wantedRanges: TapSensitivity?
    var frames = TapFrameLine()
    /// Which functions are on, as far as the TAP reported it.
    var sensing = TapSensing()
    /// The ranges that the TAP reported. They determine the scale of raw values in the framed protocol.
    var ranges: TapSensitivity?
    var isInStandby: Bool?
    /// Whether the ranges of raw mode are published at the moment, for a TAP with the classic protocol.
    var tellsRanges = false
    /// The functions that were switched on during this link.
    var switchedOn: Set<TapSwitch> = [] { didSet { updateWill() } }

    var isInAir = false
    var hand = TapHandFilter()
    var pointer = TapPointer()
    /// The speed in the newest motion report, and the time of the report.
    var lastMotion: (x: Int16, y: Int16, time: Duration)?
    var batch: TapRawBatch
    /// When the last vibration ends.
    var vibrationEnd = Duration.zero
    /// Plays a pattern; nil while no pattern plays.
    var haptic: HapticPlayer<TapHapticSequence>?
    /// The commands that wait for the TAP to report its name, in order.
    var renamings = ReadLedger<Renaming>(TapGATT.deviceName)
    var writes = WriteLedger<Purpose>()

    /// The writes that make the TAP a keyboard again if the bridge crashes: text mode, if another mode was set on this
    /// link. Without them, the TAP types again only when it misses the periodic mode command. With the framed protocol,
    /// the writes switch all functions off. The will is read after every input, so it is recomputed only on change.
    private(set) var will = Will.none

    init(_ settings: TapSettings) {
        publishesTaps = settings.publishesTaps
        defaultMode = settings.defaultMode
        defaultXRState = settings.defaultXRState
        xrState = settings.defaultXRState
        batch = TapRawBatch(.milliseconds(settings.batchMilliseconds))
    }

    private mutating func updateWill() {
        guard switchedOn.isEmpty else { return will = Will(writes: silentFrames) }
        guard let sentMode, sentMode != .mode(.text) else { return will = .none }
        let text = Write(
            TapGATT.command, TapInputCommand.mode(.text).bytes, profile.writeKind(TapGATT.command))
        will = Will(writes: [text])
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        self.now = now
        switch input {
        case .connected(let profile): connected(profile, &effects)
        case .disconnected:
            leave(&effects)
            forgetLink()
            phase = .offline
        case .notification(let characteristic, let bytes): notified(characteristic, bytes, &effects)
        case .readCompleted(let characteristic, let result): read(characteristic, result, &effects)
        case .writeCompleted(let token, let characteristic, let result):
            written(token, characteristic, result, &effects)
        case .subscribed(let characteristic, let result):
            guard phase == .handshake else { break }
            go(on: handshake.subscribed(characteristic, result, &effects), &effects)
        case .command(let id, let feature, let arguments): take(id, feature, arguments, &effects)
        case .timer(let name): timer(name, &effects)
        case .stop(let cause): stop(cause, &effects)
        case .close: close(&effects)
        case .settings(let settings, let atOnce):
            take(TapSettings.handle.parse(settings), atOnce: atOnce, &effects)
        case .advertised, .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .guardian, .relayed:
            break
        }
    }

    private var silentFrames: [Write] {
        let kind = profile.writeKind(TapGATT.frameCommand)
        return commandsToSilence.map { Write(TapGATT.frameCommand, $0.bytes, kind) }
    }

    /// The commands that switch off all functions that are on.
    var commandsToSilence: [TapFrameCommand] {
        TapSwitch.allCases.filter(switchedOn.contains).map { .set($0, false) }
    }

    /// Resets the state of a lost link, whose writes never complete.
    mutating func forgetLink() {
        slot = TapCommandSlot()
        frames = TapFrameLine()
        (sensing, ranges, isInStandby, switchedOn) = (TapSensing(), nil, nil, [])
        (pointer, lastMotion) = (TapPointer(), nil)
        writes.forget()
        (sentMode, sentXRState, hasXRState) = (nil, nil, false)
        (isInAir, hand, vibrationEnd) = (false, TapHandFilter(), .zero)
    }

    /// Writes a value and records the purpose of the write.
    mutating func write(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], for purpose: Purpose, _ effects: inout Effects
    ) {
        writes.write(
            characteristic, bytes, profile.writeKind(characteristic), for: purpose, &effects)
    }

    private mutating func timer(_ name: TimerName, _ effects: inout Effects) {
        switch name {
        case Self.slotTimer: runSlot(&effects)
        case Self.refresh.timer: if isFramed { keepFramedAlive(&effects) } else { refresh(&effects) }
        case Self.answerTimer: answersAreLate(&effects)
        case Self.pointerTimer: pressIsHeld(&effects)
        case Self.charge.timer: readBattery(&effects)
        case HapticPlayer<TapHapticSequence>.timer: advanceHaptic(&effects)
        case Self.batchTimer: flushBatch(&effects)
        case Handshake<Never>.timer: go(on: handshake.isLate(), &effects)
        case ClosingWords.timer: Self.closing.isLate(in: phase, &effects)
        default: break
        }
    }
}
