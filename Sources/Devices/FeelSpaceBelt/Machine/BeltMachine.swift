import Bluetooth
import DeviceKit

/// The behaviour of one belt over any number of links.
///
/// Commands wait in one line while one of them waits for the belt to confirm a mode or a parameter; what the belt
/// only acknowledges does not hold up what follows.
struct BeltMachine: DeviceMachine {
    /// Why a write was made, which decides what its completion means.
    enum Purpose: Hashable, Sendable {
        /// Carries out a command, which is answered when the belt acknowledges it.
        case command(CommandID)
        /// Vibrates, as a command asked or as a pattern goes on.
        case vibration(CommandID?)
        /// Silences, as a command asked or for another reason; whether the belt is certain to obey.
        case silence(CommandID?, isCertain: Bool)
        /// Begins a pattern, of which the belt does not show everything.
        case haptic(CommandID, degraded: [String])
        /// Shows the navigation's target, as a command asked or on its own account.
        case signal(CommandID?)
        /// Asks for the error log.
        case errorLog(CommandID)
        /// Starts the stream of raw values.
        case rawValues
        /// Writes bytes as they were given, which are the answer; nil where a notification is.
        case gatt(CommandID, [UInt8]?)
        /// Asks for what ``change`` waits for.
        case confirmed
        /// The last one before the link is closed.
        case lastWord
    }

    static let signalTimer: TimerName = "signal"
    static let timers =
        [
            Confirmation<BeltParameterChange.Goal>.timer, Handshake<BeltParameter>.answerTimer,
            Handshake<BeltParameter>.timer, signalTimer, ClosingWords.timer,
            HapticPlayer<BeltHapticStep>.timer, vibrationTimer,
        ] + BeltDiagnosis.timers
    /// Both libraries space their packets by 0.1 s (`MIN_PERIOD_NAVIGATION_UPDATE`); waiting for the acknowledgement
    /// as well keeps old directions from piling up on a slow link.
    static let signalInterval = Duration.milliseconds(100)

    var phase = LinkPhase.offline
    var now = Duration.zero
    var profile = LinkProfile(characteristics: [:])
    var handshake = Self.noHandshake

    /// The belt's mode; nil while it is not known.
    var mode: BeltMode?
    var firmware: BeltFirmwareInformation?
    /// App mode that a command asked for, not navigation.
    var appMode = BeltAppModeClaim()
    /// Whether the belt was asked for app mode and has not said that it is in it.
    var isEnteringAppMode = false
    /// What vibrates by commands.
    var vibrations = BeltVibrations()
    /// Whether the belt is certain to obey the newest stop of everything.
    private(set) var isStopCertain = true
    var haptic: BeltPlayedPattern?
    /// The mode that a pattern is to be followed by, where app mode was entered for it.
    var hapticReturn: BeltMode?
    var orientation: BeltOrientationStream
    /// The belt's default intensity in percent; nil while it is not known.
    var defaultIntensity: UInt8?
    var vibrationReport = BeltVibrationReport()
    var diagnosis = BeltDiagnosis()
    /// Whether bytes may be read and written as they are.
    let isExpert: Bool

    var navigation = BeltNavigation()
    var throttle = WritePacer(signalInterval)
    /// The newest navigation command, whose signal has not gone out yet.
    var navigationCommand = LatestCommand()
    private var publishedNavigation: BeltNavigation?

    var queue = WaitingLine<BeltRequest>(limit: BeltRequest.limit)
    var change: BeltParameterChange?
    var writes = WriteLedger<Purpose>()

    init(_ settings: BeltSettings) {
        orientation = BeltOrientationStream(settings.orientation)
        isExpert = settings.isExpert
    }

    /// Silence on every channel while anything may be felt that a command asked for, and the mode that a pattern
    /// took from the wearer.
    var will: Will {
        let isLeading = navigation.state == .navigating && mode == .app
        guard phase != .offline,
            isLeading || isPlaying || vibrations.mayBeFelt(in: mode, at: now)
        else { return .none }
        var writes = silence(of: nil).map { Write(BeltGATT.vibration, $0.bytes) }
        if let former = hapticReturn {
            writes.append(Write(BeltGATT.parameterRequest, BeltParameterRequest.setMode(former).bytes))
        }
        return Will(writes: writes)
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        self.now = now
        switch input {
        case .connected(let profile): connected(profile, &effects)
        case .disconnected:
            leave(&effects)
            phase = .offline
        case .notification(let characteristic, let bytes): notified(characteristic, bytes, &effects)
        case .readCompleted(let characteristic, let result): read(characteristic, result, &effects)
        case .writeCompleted(let token, let characteristic, let result):
            written(token, characteristic, result, &effects)
        case .subscribed(let characteristic, let result): subscribed(characteristic, result, &effects)
        case .command(let id, let feature, let arguments):
            take(BeltRequest(id: id, feature: feature, arguments: arguments), &effects)
        case .timer(let name): timer(name, &effects)
        case .stop(let cause):
            isStopCertain = isObeyed(stopOf: nil)
            stop(cause, &effects)
        case .close: close(&effects)
        case .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .guardian, .settings:
            break
        }
        settle(&effects)
    }

    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {
        // What an earlier process published of the mode does not hold for a belt that is away.
        if phase == .offline { BeltFamily.mode.publish(nil, &effects) }
    }

    /// Writes and remembers why.
    @discardableResult
    mutating func write(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], for purpose: Purpose,
        priority: Write.Priority = .normal, _ effects: inout Effects
    ) -> WriteToken {
        writes.write(characteristic, bytes, priority: priority, for: purpose, &effects)
    }

    /// Writes a vibration command and remembers what may be felt by it.
    ///
    /// - Parameters:
    ///   - bytes: The packet, where it is another one of the same meaning than the bridge's own.
    ///   - source: The feature that was asked for it; means nothing for a silence.
    mutating func write(
        _ vibration: BeltVibrationCommand, as bytes: [UInt8]? = nil, for purpose: Purpose,
        from source: BeltVibrationSource = .vibrate, priority: Write.Priority = .normal,
        _ effects: inout Effects
    ) {
        let token = write(
            BeltGATT.vibration, bytes ?? vibration.bytes, for: purpose, priority: priority, &effects)
        vibrations.sent(vibration, as: token, from: source, at: now)
    }

    private mutating func timer(_ name: TimerName, _ effects: inout Effects) {
        switch name {
        case Handshake<BeltParameter>.answerTimer: answerIsLate(&effects)
        case Handshake<BeltParameter>.timer: go(on: handshake.isLate(), &effects)
        case Confirmation<BeltParameterChange.Goal>.timer: changeIsLate(&effects)
        case Self.signalTimer: advanceSignal(throttle.advance(at: now), &effects)
        case HapticPlayer<BeltHapticStep>.timer: advanceHaptic(&effects)
        case Self.vibrationTimer: vibrationReport.alarm = nil
        case BeltDiagnosis.logTimer: errorLogIsLate(&effects)
        case BeltDiagnosis.roundTimer: askForCalibration(&effects)
        case BeltDiagnosis.answersTimer: endCalibrationRound(&effects)
        case BeltDiagnosis.rawTimer: rawValuesAreLate(&effects)
        case BeltDiagnosis.gattTimer: rawAnswerIsLate(&effects)
        case ClosingWords.timer: Self.closing.isLate(in: phase, &effects)
        default: break
        }
    }

    /// What every input may have made possible: the next command, an answer, a new state to publish.
    private mutating func settle(_ effects: inout Effects) {
        runQueue(&effects)
        settleNavigationCommand(&effects)
        settleVibration(&effects)
        var shown = navigation
        // It is not published.
        shown.isPauseOurs = false
        guard shown != publishedNavigation else { return }
        publishedNavigation = shown
        BeltFamily.navigation.publish(shown, &effects)
    }
}
