public import Bluetooth

/// What is done on a new link, one step after another, until the device can be used.
///
/// The machine hands over what it hears of reads, subscriptions, writes and timers, and goes by ``Progress``.
/// `Word` tells the words apart that the device says in answer to a step.
public struct Handshake<Word: Hashable & Sendable>: Hashable, Sendable {
    /// One thing to do; the next begins when it is done.
    public enum Action: Hashable, Sendable, CustomStringConvertible {
        /// Asks for notifications.
        case subscribe(CharacteristicID)
        /// Reads a value.
        case read(CharacteristicID)
        /// Writes a value and waits until the device says one of these words; for none only until it is written.
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

    /// A thing to do, and whether the device can be used without it.
    public struct Step: Hashable, Sendable {
        /// What to do.
        public var action: Action
        /// Whether the device can be used without what it brings.
        public var isOptional: Bool

        /// Makes a step.
        public init(_ action: Action, isOptional: Bool = false) {
            self.action = action
            self.isOptional = isOptional
        }
    }

    /// Where it stands after something was heard.
    public enum Progress: Hashable, Sendable {
        /// What was heard is not what it waits for.
        case unrelated
        /// A step is under way.
        case waiting
        /// All steps are done: the device can be used.
        case done
        /// The device cannot be used.
        case failed(DeviceFailure)
    }

    /// What it says of a device that cannot be used.
    public struct Wording: Hashable, Sendable {
        /// What the device is called in a sentence: `belt`.
        public var device: String
        /// The failure of a device that wants a bond.
        public var unbonded: DeviceFailure

        /// Makes the words.
        public init(device: String, unbonded: DeviceFailure) {
            self.device = device
            self.unbonded = unbonded
        }
    }

    /// The timer of the whole.
    public static var timer: TimerName { "handshake" }
    /// The timer of a word that is waited for.
    public static var answerTimer: TimerName { "answer" }
    /// The token of its writes, of which one is under way at most.
    public static var token: WriteToken { WriteToken(.max) }

    /// How long the whole may take.
    public let time: Duration
    /// How long the device may take for a word.
    public let answerTime: Duration
    let wording: Wording
    let isBonded: Bool
    var steps: ArraySlice<Step>

    /// Prepares a handshake.
    ///
    /// - Parameters:
    ///   - steps: What is done, in order.
    ///   - time: How long the whole may take.
    ///   - answerTime: How long the device may take for a word.
    ///   - wording: What is said of a device that cannot be used.
    ///   - isBonded: Whether a device that refuses an optional step has another reason than a missing bond.
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

    /// The step under way; nil when all is done.
    public var current: Step? { steps.first }

    /// Puts a step behind the one under way.
    public mutating func insert(_ step: Step) {
        steps.insert(step, at: min(steps.startIndex + 1, steps.endIndex))
    }

    /// Ends it without an outcome, since the link is gone.
    public mutating func abandon() { steps = [] }
}
