import Bluetooth
import DeviceKit

/// Stops a robot after a connection: three writes, and three reads that confirm them.
struct RobotHandshake: Hashable, Sendable {
    private enum Step: Hashable {
        case writing(RobotBatch)
        /// The expected values that have not been read back yet, and a description of the last difference.
        case reading([CharacteristicID: [UInt8]], complaint: String?)
    }

    /// What a completed write or read means for the handshake.
    enum Outcome: Hashable, Sendable {
        case underWay
        /// All values were read back as expected, so the robot stands still.
        case atRest
        /// The attempt failed: a value that was read back differs, or an operation failed.
        case disagrees(String)
    }

    /// How often the three values are written before the robot is disconnected.
    static let attempts = 3
    static let timer: TimerName = "handshake"
    /// The time limit for the whole handshake.
    static let time = Duration.seconds(10)
    /// How long after a connection the firmware can still switch the power off because of the previous disconnect.
    static let settlingTime = Duration.milliseconds(2500)

    /// Whether another bridge controlled the robot before this link.
    let isTakenOver: Bool
    private var step: Step
    private var attempt = 1

    init(_ batch: RobotBatch, isTakenOver: Bool) {
        step = .writing(batch)
        self.isTakenOver = isTakenOver
    }

    var isLastAttempt: Bool { attempt == Self.attempts }

    /// Returns the handshake with a new attempt, whose writes are in `batch`.
    func again(_ batch: RobotBatch) -> RobotHandshake {
        var next = RobotHandshake(batch, isTakenOver: isTakenOver)
        next.attempt = attempt + 1
        return next
    }

    /// Reads all values back after the last write.
    mutating func written(_ token: WriteToken, _ result: WriteResult, _ effects: inout Effects) -> Outcome {
        guard case .writing(var batch) = step else { return .underWay }
        let isLast = batch.completed(token, result)
        step = .writing(batch)
        guard isLast else { return .underWay }
        if let error = batch.error { return .disagrees("a write failed: \(error)") }
        let zero = RobotVector.zero.bytes
        step = .reading(
            [RobotGATT.movement: zero, RobotGATT.rotation: zero, RobotGATT.buttons: batch.buttons.bytes],
            complaint: nil)
        for characteristic in RobotGATT.all { effects.read(characteristic) }
        return .underWay
    }

    mutating func read(_ characteristic: CharacteristicID, _ result: ReadResult) -> Outcome {
        guard case .reading(var values, let earlier) = step,
            let expected = values.removeValue(forKey: characteristic)
        else { return .underWay }
        let complaint = RobotGATT.complaint(result, expected: expected) ?? earlier
        step = .reading(values, complaint: complaint)
        guard values.isEmpty else { return .underWay }
        return complaint.map { .disagrees($0) } ?? .atRest
    }
}
