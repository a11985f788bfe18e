import Bluetooth
import DeviceKit

/// The behavior of one belt over any number of links.
///
/// While a command waits for the belt to confirm a mode or a parameter, later commands are queued. Commands that the
/// belt only acknowledges do not block the queue.
struct BeltMachine: DeviceMachine {
    /// Why the state machine writes something. The purpose determines how the completion of the write is handled.
    enum Purpose: Hashable, Sendable {
        /// Carries out a command, which is answered when the belt acknowledges it.
        case command(CommandID)
        /// Vibrates, for a command or as the next step of a pattern.
        case vibration(CommandID?)
        /// Silences channels, for a command or another reason. `isCertain`: whether the belt is certain to obey.
        case silence(CommandID?, isCertain: Bool)
        /// Writes the first step of a pattern; the answer is sent when the belt acknowledges the write.
        case haptic(CommandID, Answer)
        /// Shows the navigation target, for a command, or because the navigation controller requested it.
        case signal(CommandID?)
        /// Requests the error log.
        case errorLog(CommandID)
        /// Starts the stream of raw values.
        case rawValues
        /// Writes raw bytes for a `gatt` command. The answer contains these bytes; nil if the answer contains a
        /// notification instead.
        case gatt(CommandID, [UInt8]?)
        /// Writes the request that ``change`` tracks, which a notification of the belt must confirm.
        case confirmed
        /// Silences the belt or changes its mode, as the last write before the link is closed.
        case lastWord
    }

    static let signalTimer: TimerName = "signal"
    static let timers =
        [
            Confirmation<BeltParameterChange.Goal>.timer, Handshake<BeltParameter>.answerTimer,
            Handshake<BeltParameter>.timer, signalTimer, ClosingWords.timer,
            HapticPlayer<BeltHapticStep>.timer, vibrationTimer,
        ] + BeltDiagnosis.timers
    /// The shortest time between two navigation signals. FSLib-iOS and FSLib-Android use the same time
    /// (`MIN_PERIOD_NAVIGATION_UPDATE`). Waiting for the acknowledgment also keeps old directions from accumulating on
    /// a slow link.
    static let signalInterval = Duration.milliseconds(100)

    var phase = LinkPhase.offline
    var now = Duration.zero
    var profile = LinkProfile(characteristics: [:])
    var handshake = Self.noHandshake

    /// The belt's mode; nil while it is unknown.
    var mode: BeltMode?
    var firmware: BeltFirmwareInformation?
    /// Whether a command, not navigation, requested app mode.
    var appMode = BeltAppModeClaim()
    /// Whether app mode was requested and has not been notified yet.
    var isEnteringAppMode = false
    /// The vibrations that commands may have caused, and what must still be stopped.
    var vibrations = BeltVibrations()
    /// Whether the belt is certain to obey the newest stop of all channels.
    private(set) var isStopCertain = true
    var haptic: BeltPlayedPattern?
    /// The mode to restore after a pattern for which app mode was entered.
    var hapticReturn: BeltMode?
    var orientation: BeltOrientationStream
    /// The belt's default intensity in percent; nil while it is unknown.
    var defaultIntensity: UInt8?
    var vibrationReport = BeltVibrationReport()
    var diagnosis = BeltDiagnosis()
    /// Whether commands can read and write raw bytes.
    let isExpert: Bool

    var navigation = BeltNavigation()
    var throttle = WritePacer(signalInterval)
    /// The newest navigation command whose signal is not written yet.
    var navigationCommand = LatestCommand()
    private var publishedNavigation: BeltNavigation?

    var queue = WaitingLine<BeltRequest>(limit: BeltRequest.limit)
    var change: BeltParameterChange?
    var writes = WriteLedger<Purpose>()

    init(_ settings: BeltSettings) {
        orientation = BeltOrientationStream(settings.orientation)
        isExpert = settings.isExpert
    }

    /// The writes that stop vibrations if the bridge crashes: while the wearer may feel a commanded vibration, silence
    /// on every channel, and the mode that a pattern replaced.
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
        case .advertised, .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .guardian, .relayed,
            .settings:
            break
        }
        settle(&effects)
    }

    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {
        // A mode that an earlier process published is not valid for a belt that is offline.
        if phase == .offline { BeltFamily.mode.publish(nil, &effects) }
    }

    /// Writes a value and records the purpose of the write.
    @discardableResult
    mutating func write(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], for purpose: Purpose,
        priority: Write.Priority = .normal, _ effects: inout Effects
    ) -> WriteToken {
        writes.write(characteristic, bytes, priority: priority, for: purpose, &effects)
    }

    /// Writes a vibration command and records which vibrations may result.
    ///
    /// - Parameters:
    ///   - bytes: The packet to write, if a user's raw bytes differ from the packet that the bridge creates for the
    ///     command.
    ///   - source: The feature that requested the vibration; ignored for a silence.
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

    /// Carries out the possible consequences of every input: the next command, an answer, a new state to publish.
    private mutating func settle(_ effects: inout Effects) {
        runQueue(&effects)
        settleNavigationCommand(&effects)
        settleVibration(&effects)
        var shown = navigation
        // `isPauseOurs` is not published. If nothing else has changed, nothing is published.
        shown.isPauseOurs = false
        guard shown != publishedNavigation else { return }
        publishedNavigation = shown
        BeltFamily.navigation.publish(shown, &effects)
    }
}
