public import Bluetooth

/// The steps on a new link, one after another, until the device can be used.
///
/// The device's state machine passes the results of reads, subscriptions, writes and timers to the handshake, and acts
/// on the ``Progress`` that the handshake returns. `Word` distinguishes the answers of the device.
public struct Handshake<Word: Hashable & Sendable>: Hashable, Sendable {
    /// One action of the handshake. The next action starts when this action is complete.
    public enum Action: Hashable, Sendable, CustomStringConvertible {
        /// Subscribes to notifications.
        case subscribe(CharacteristicID)
        /// Reads a value.
        case read(CharacteristicID)
        /// Writes a value and waits for one of these answers. Without answers, the step is complete when the value is
        /// written.
        case ask(CharacteristicID, [UInt8], Set<Word>)

        /// `read(FE09)`
        public var description: String {
            switch self {
            case .subscribe(let characteristic): "subscribe(\(characteristic))"
            case .read(let characteristic): "read(\(characteristic))"
            case .ask(_, _, let words): "ask(\(words.map { "\($0)" }.sorted().joined(separator: ", ")))"
            }
        }
    }

    /// An action, and whether the device can be used without it.
    public struct Step: Hashable, Sendable {
        /// The action of the step.
        public var action: Action
        /// Whether the device can be used if the step fails.
        public var isOptional: Bool

        /// Creates a step.
        public init(_ action: Action, isOptional: Bool = false) {
            self.action = action
            self.isOptional = isOptional
        }
    }

    /// The state of the handshake after an event.
    public enum Progress: Hashable, Sendable {
        /// The event does not belong to the current step.
        case unrelated
        /// A step is in progress.
        case waiting
        /// All steps are complete: the device can be used.
        case done
        /// The device cannot be used.
        case failed(DeviceFailure)
    }

    /// Words that depend on the kind of device, for error messages about a device that cannot be used.
    public struct Wording: Hashable, Sendable {
        /// The name of the device in a sentence: `belt`.
        public var device: String
        /// The failure of a device that requires a bond.
        public var unbonded: DeviceFailure

        /// Creates the words.
        public init(device: String, unbonded: DeviceFailure) {
            self.device = device
            self.unbonded = unbonded
        }
    }

    /// The timer for the whole handshake.
    public static var timer: TimerName { "handshake" }
    /// The timer for the answer to a write of ``Action/ask(_:_:_:)``.
    public static var answerTimer: TimerName { "answer" }
    /// The token of the handshake's writes. One token is sufficient, because at most one of these writes is in
    /// progress.
    public static var token: WriteToken { WriteToken(.max) }

    /// The time limit for the whole handshake.
    public let time: Duration
    /// The time limit for the answer to a write.
    public let answerTime: Duration
    let wording: Wording
    let isBonded: Bool
    var steps: ArraySlice<Step>

    /// Creates a handshake.
    ///
    /// - Parameters:
    ///   - steps: The steps, in order.
    ///   - time: The time limit for the whole handshake.
    ///   - answerTime: The time limit for the answer to a write.
    ///   - wording: The words for error messages about a device that cannot be used.
    ///   - isBonded: Whether the device is bonded. If so, a missing bond cannot be the reason why the device refuses an
    ///     optional step.
    public init(
        _ steps: [Step] = [], within time: Duration = .seconds(20), answerTime: Duration = .seconds(1),
        wording: Wording, isBonded: Bool = false
    ) {
        self.steps = steps[...]
        self.time = time
        self.answerTime = answerTime
        self.wording = wording
        self.isBonded = isBonded
    }

    /// The current step; nil when all steps are complete.
    public var current: Step? { steps.first }

    /// Inserts a step after the current step.
    public mutating func insert(_ step: Step) {
        steps.insert(step, at: min(steps.startIndex + 1, steps.endIndex))
    }

    /// Ends the handshake without success or failure, because the link is gone.
    public mutating func abandon() { steps = [] }
}
