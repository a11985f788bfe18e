import Bluetooth
import DeviceKit

/// Proves by reading back that the switches are as they were written. One proof at a time: of the newest value.
struct RobotConfirmation: Sendable {
    private struct Proof {
        /// The write that is under way; nil while its value is read.
        var token: WriteToken?
        var failures = 0
        var commands: [CommandID] = []
        var isOfEmergencyStop = false
    }

    /// After how many disagreements the robot is given up.
    static let attempts = 3
    static let timer: TimerName = "confirmation"
    /// How long one attempt may take.
    static let time = Duration.seconds(1)

    private var proof: Proof?
    private var reads = ReadLedger<Void>(RobotGATT.buttons)

    var isUnderWay: Bool { proof != nil }
    /// Whether an emergency stop is among what is to be proved.
    var isOfEmergencyStop: Bool { proof?.isOfEmergencyStop ?? false }

    /// Proves the value of a write that is under way.
    mutating func start(_ token: WriteToken, _ effects: inout Effects) {
        reads.abandon()
        proof = proof ?? Proof()
        proof?.token = token
        effects.startTimer(Self.timer, after: Self.time)
    }

    /// Adds commands that are answered at the end of the proof.
    mutating func add(_ commands: [CommandID], isEmergencyStop: Bool = false) {
        proof?.commands += commands
        if isEmergencyStop { proof?.isOfEmergencyStop = true }
    }

    /// Reads the value when its write is completed.
    ///
    /// - Returns: Why the attempt failed; nil if it did not.
    mutating func written(_ token: WriteToken, _ result: WriteResult, _ effects: inout Effects) -> String? {
        guard proof?.token == token else { return nil }
        if case .failure(let error) = result { return "a write failed: \(error)" }
        proof?.token = nil
        reads.read(for: (), &effects)
        return nil
    }

    /// Notes a completed read.
    ///
    /// - Returns: Whether the proof waited for it.
    mutating func read() -> Bool { reads.complete() != nil && proof != nil }

    /// Notes that an attempt took too long.
    ///
    /// - Returns: Whether there is one.
    mutating func expired() -> Bool {
        reads.abandon()
        return proof != nil
    }

    /// Notes a failed attempt.
    ///
    /// - Returns: Whether another one is allowed.
    mutating func failed() -> Bool {
        proof?.failures += 1
        return (proof?.failures ?? 0) < Self.attempts
    }

    /// Ends the proof, whatever it proved.
    ///
    /// - Returns: The commands to answer.
    mutating func end(_ effects: inout Effects) -> [CommandID] {
        guard let ended = proof else { return [] }
        proof = nil
        reads.abandon()
        effects.cancelTimer(Self.timer)
        return ended.commands
    }
}
