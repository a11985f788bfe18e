import Bluetooth
import DeviceKit

/// Confirms a write of the robot's switches (weapon, field orientation, power) by reading them back. Only the newest
/// written value is confirmed.
struct RobotConfirmation: Sendable {
    private struct Proof {
        /// The write in progress; nil after the write, while the value is read back.
        var token: WriteToken?
        var failures = 0
        var commands: [CommandID] = []
        var isOfEmergencyStop = false
    }

    /// After this many failed attempts, the robot is disconnected.
    static let attempts = 3
    static let timer: TimerName = "confirmation"
    /// How long one attempt to confirm the switches may take.
    static let time = Duration.seconds(1)

    private var proof: Proof?
    private var reads = ReadLedger<Void>(RobotGATT.buttons)

    var isUnderWay: Bool { proof != nil }
    /// Whether the confirmation includes an emergency stop.
    var isOfEmergencyStop: Bool { proof?.isOfEmergencyStop ?? false }

    /// Starts the confirmation of a write in progress.
    mutating func start(_ token: WriteToken, _ effects: inout Effects) {
        reads.abandon()
        proof = proof ?? Proof()
        proof?.token = token
        effects.startTimer(Self.timer, after: Self.time)
    }

    /// Adds commands that are answered at the end of the confirmation.
    mutating func add(_ commands: [CommandID], isEmergencyStop: Bool = false) {
        proof?.commands += commands
        if isEmergencyStop { proof?.isOfEmergencyStop = true }
    }

    /// Reads the value after its write is complete.
    ///
    /// - Returns: Why the attempt failed; nil if the attempt did not fail.
    mutating func written(_ token: WriteToken, _ result: WriteResult, _ effects: inout Effects) -> String? {
        guard proof?.token == token else { return nil }
        if case .failure(let error) = result { return "a write failed: \(error)" }
        proof?.token = nil
        reads.read(for: (), &effects)
        return nil
    }

    /// Records a completed read.
    ///
    /// - Returns: Whether the completed read belongs to the confirmation in progress.
    mutating func read() -> Bool { reads.complete() != nil && proof != nil }

    /// Handles that the time of an attempt is over.
    ///
    /// - Returns: Whether a confirmation is in progress.
    mutating func expired() -> Bool {
        reads.abandon()
        return proof != nil
    }

    /// Counts a failed attempt.
    ///
    /// - Returns: Whether another attempt is allowed.
    mutating func failed() -> Bool {
        proof?.failures += 1
        return (proof?.failures ?? 0) < Self.attempts
    }

    /// Ends the confirmation, whether it succeeded or not.
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
