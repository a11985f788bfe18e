import Bluetooth
import DeviceKit

/// The behaviour of one TAP over any number of links.
struct TapMachine: DeviceMachine {
    /// Why a write was made, which decides what its completion means.
    enum Purpose: Hashable, Sendable {
        /// The command that is under way in the slot.
        case slot(TapInputCommand)
        /// A vibration of so long.
        case vibration(CommandID, Duration)
        /// The first rhythm of a pattern, of which the TAP does not show everything.
        case haptic(CommandID, degraded: [String])
        /// A new name.
        case name(CommandID, String)
        /// The frame that is under way in the line of frames.
        case frame

        /// The command to answer; nil for one in the slot or the line of frames, which answer their commands themselves.
        var command: CommandID? {
            switch self {
            case .vibration(let id, _), .haptic(let id, _), .name(let id, _): id
            case .slot, .frame: nil
            }
        }
    }

    /// A new name that was written, until the TAP says what it calls itself.
    struct Renaming: Hashable, Sendable {
        var id: CommandID
        var name: String
    }

    /// What has a default until a command sets it.
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
    /// What a command set, so that it holds over lost links, where all else follows the defaults.
    var commanded: Set<Commanded> = []

    var phase = LinkPhase.offline
    var now = Duration.zero
    var profile = LinkProfile(characteristics: [:]) { didSet { isFramed = Self.isFramed(profile) } }
    /// Whether the TAP at hand speaks the framed protocol.
    private(set) var isFramed = false
    var handshake = Self.noHandshake
    var info = DeviceInfo()
    var versions = TapVersions()

    /// The input mode that is kept up; nil until the first link, which starts with the default.
    var mode: TapInputCommand?
    /// The TapXR's state that is kept up.
    var xrState: TapXRState
    /// Whether the TapXR has the state on this link: that it decides by itself is told once only.
    var hasXRState = false
    /// The input mode that went out last on this link; raw frames are scaled by it.
    var sentMode: TapInputCommand? { didSet { updateWill() } }
    /// The TapXR's state that went out last on this link.
    var sentXRState: TapXRState?
    var slot = TapCommandSlot()

    /// What a TAP with the framed protocol is to sense; nil until the first link, which starts with the default.
    var wantedSensing: TapSensing?
    /// The ranges that a command set in the framed protocol.
    var wantedRanges: TapSensitivity?
    var frames = TapFrameLine()
    /// What the TAP said that it senses.
    var sensing = TapSensing()
    /// What the TAP said of its ranges; raw values of the framed protocol are scaled by it.
    var ranges: TapSensitivity?
    var isInStandby: Bool?
    /// Whether ranges of the classic protocol's raw mode are published.
    var tellsRanges = false
    /// What was switched on last on this link.
    var switchedOn: Set<TapSwitch> = [] { didSet { updateWill() } }

    var isInAir = false
    var hand = TapHandFilter()
    var pointer = TapPointer()
    /// The newest motion of the hand, and when it was told.
    var lastMotion: (x: Int16, y: Int16, time: Duration)?
    var batch: TapRawBatch
    /// Until when the last vibration lasts.
    var vibrationEnd = Duration.zero
    /// The pattern that plays.
    var haptic: HapticPlayer<TapHapticSequence>?
    /// Who waits to see what the TAP calls itself now, in order.
    var renamings = ReadLedger<Renaming>(TapGATT.deviceName)
    var writes = WriteLedger<Purpose>()

    /// Text mode, unless nothing else was ever set on this link: a TAP whose bridge died types again at once, not
    /// only when it misses the refresh. In the framed protocol all switches off. It is looked at after every input, so
    /// it is made only when it changes.
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
        case .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .guardian: break
        }
    }

    private var silentFrames: [Write] {
        let kind = profile.writeKind(TapGATT.frameCommand)
        return commandsToSilence.map { Write(TapGATT.frameCommand, $0.bytes, kind) }
    }

    /// What switches everything off that was switched on.
    var commandsToSilence: [TapFrameCommand] {
        TapSwitch.allCases.filter(switchedOn.contains).map { .set($0, false) }
    }

    /// Forgets what was true of a link that is gone; its writes are never completed.
    mutating func forgetLink() {
        slot = TapCommandSlot()
        frames = TapFrameLine()
        (sensing, ranges, isInStandby, switchedOn) = (TapSensing(), nil, nil, [])
        (pointer, lastMotion) = (TapPointer(), nil)
        writes.forget()
        (sentMode, sentXRState, hasXRState) = (nil, nil, false)
        (isInAir, hand, vibrationEnd) = (false, TapHandFilter(), .zero)
    }

    /// Writes and remembers why.
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
