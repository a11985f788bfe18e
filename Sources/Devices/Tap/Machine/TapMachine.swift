import Bluetooth
import DeviceKit
import JSON

/// The behaviour of one TAP over any number of links.
struct TapMachine: DeviceMachine {
    /// Where the machine stands.
    enum Phase: Hashable, Sendable {
        /// There is no link.
        case offline
        /// The link is up, the TAP is being asked who it is.
        case handshake
        /// The TAP takes commands.
        case online
        /// The link is being closed, in good order or because the TAP cannot be used.
        case closing
    }

    /// Why a write was made, which decides what its completion means.
    enum Purpose: Hashable, Sendable {
        /// The command that is under way in the slot.
        case slot(InputCommand)
        /// A vibration of so long.
        case vibration(CommandID, Duration)
        /// The first rhythm of a pattern, of which the TAP does not show everything.
        case haptic(CommandID, degraded: [String])
        /// A new name.
        case name(CommandID, String)
    }

    static let slotTimer: TimerName = "slot"
    static let refreshTimer: TimerName = "refresh"
    static let batteryTimer: TimerName = "battery"
    static let batchTimer: TimerName = "batch"
    static let handshakeTimer: TimerName = "handshake"
    static let closeTimer: TimerName = "close"
    static let timers = [
        slotTimer, refreshTimer, batteryTimer, batchTimer, handshakeTimer, closeTimer, hapticTimer,
    ]

    let publishesTaps: Bool
    let defaultMode: InputMode

    var phase = Phase.offline
    var now = Duration.zero
    var profile = LinkProfile(characteristics: [:])
    var handshake = Handshake()
    var info = DeviceInfo()
    var versions = Versions()

    /// The input mode that is kept up; nil until the first link, which begins with the default.
    var mode: InputCommand?
    /// The TapXR's state that is kept up.
    var xrState = XRState.userControl
    /// Whether the TapXR has the state on this link: that it decides by itself is told once only.
    var hasXRState = false
    /// The input mode that went out last on this link; raw frames are scaled by it.
    var sentMode: InputCommand? { didSet { updateWill() } }
    /// The TapXR's state that went out last on this link.
    var sentXRState: XRState?
    var slot = CommandSlot()

    var isInAir = false
    var hand = HandFilter()
    var batch: RawBatch
    /// Until when the last vibration lasts.
    var vibrationEnd = Duration.zero
    /// The pattern that plays.
    var haptic: HapticPlayer?
    /// Who waits to see what the TAP calls itself now, in order.
    var renamings: [(id: CommandID, name: String)] = []
    var writes: [WriteToken: Purpose] = [:]
    private var lastToken: UInt64 = 0

    /// Text mode, unless nothing else was ever set on this link: a TAP whose bridge died types again at once, not
    /// only when it misses the refresh. It is looked at after every input, so it is made only when it changes.
    private(set) var will = Will.none

    init(settings: Arguments) {
        publishesTaps = settings["publish_taps"]?.bool ?? true
        defaultMode = settings.text("default_input_mode").flatMap(InputMode.init(rawValue:)) ?? .controller
        batch = RawBatch(settings)
    }

    private mutating func updateWill() {
        guard let sentMode, sentMode != .mode(.text) else { return will = .none }
        let text = Write(GATT.command, InputCommand.mode(.text).bytes, writeKind(GATT.command))
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
        case .subscribed(let characteristic, let result): stepSubscribed(characteristic, result, &effects)
        case .command(let id, let feature, let arguments): take(id, feature, arguments, &effects)
        case .timer(let name): timer(name, &effects)
        case .stop(let cause): stop(cause, &effects)
        case .close: close(&effects)
        case .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .guardian: break
        }
    }

    /// Forgets what was true of a link that is gone; its writes are never completed.
    mutating func forgetLink() {
        (slot, writes) = (CommandSlot(), [:])
        (sentMode, sentXRState, hasXRState) = (nil, nil, false)
        (isInAir, hand, vibrationEnd) = (false, HandFilter(), .zero)
    }

    /// Writes and remembers why.
    mutating func write(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], for purpose: Purpose, _ effects: inout Effects
    ) {
        lastToken += 1
        let token = WriteToken(lastToken)
        writes[token] = purpose
        effects.write(characteristic, bytes, writeKind(characteristic), token: token)
    }

    /// With response where the TAP offers it, so that a command's answer means what it says.
    func writeKind(_ characteristic: CharacteristicID) -> Write.Kind {
        let properties = profile.characteristics[characteristic] ?? .write
        return properties.contains(.write) ? .withResponse : .withoutResponse
    }

    private mutating func timer(_ name: TimerName, _ effects: inout Effects) {
        switch name {
        case Self.slotTimer: runSlot(&effects)
        case Self.refreshTimer: refresh(&effects)
        case Self.batteryTimer: readBattery(&effects)
        case Self.hapticTimer: advanceHaptic(&effects)
        case Self.batchTimer: flushBatch(&effects)
        case Self.handshakeTimer: handshakeIsLate(&effects)
        case Self.closeTimer: if phase == .closing { effects.append(.disconnect) }
        default: break
        }
    }
}
