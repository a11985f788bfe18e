import Bluetooth
import DeviceKit

/// The reads that prove that the robot is at rest: it reports no motion.
struct RobotRestProof: Hashable, Sendable {
    private static let characteristics = [RobotGATT.movement, RobotGATT.rotation]

    /// The reads that are not completed.
    private var open: [CharacteristicID] = []
    /// Why the robot is not at rest, as far as it was read.
    private(set) var complaint: String?

    /// Reads, unless that is under way.
    mutating func start(_ effects: inout Effects) {
        guard open.isEmpty else { return }
        (open, complaint) = (Self.characteristics, nil)
        for characteristic in open { effects.read(characteristic) }
    }

    /// Notes a completed read.
    ///
    /// - Returns: Whether it was the last one.
    mutating func completed(_ characteristic: CharacteristicID, _ result: ReadResult) -> Bool {
        guard let index = open.firstIndex(of: characteristic) else { return false }
        open.remove(at: index)
        complaint = RobotGATT.complaint(result, expected: RobotVector.zero.bytes) ?? complaint
        return open.isEmpty
    }
}
