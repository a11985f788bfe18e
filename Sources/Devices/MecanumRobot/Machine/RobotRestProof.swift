import Bluetooth
import DeviceKit

/// The reads that confirm that the robot stands still: it reports no motion.
struct RobotRestProof: Hashable, Sendable {
    private static let characteristics = [RobotGATT.movement, RobotGATT.rotation]

    /// The reads in progress.
    private var open: [CharacteristicID] = []
    /// Which value that was read shows that the robot does not stand still; nil if none does.
    private(set) var complaint: String?

    /// Starts the reads, unless they are in progress already.
    mutating func start(_ effects: inout Effects) {
        guard open.isEmpty else { return }
        (open, complaint) = (Self.characteristics, nil)
        for characteristic in open { effects.read(characteristic) }
    }

    /// Records a completed read.
    ///
    /// - Returns: Whether the completed read was the last read in progress.
    mutating func completed(_ characteristic: CharacteristicID, _ result: ReadResult) -> Bool {
        guard let index = open.firstIndex(of: characteristic) else { return false }
        open.remove(at: index)
        complaint = RobotGATT.complaint(result, expected: RobotVector.zero.bytes) ?? complaint
        return open.isEmpty
    }
}
