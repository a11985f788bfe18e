import Bluetooth

/// The reads that prove that the robot is at rest: no motion, by what it says itself.
struct RobotRestProof: Hashable, Sendable {
    /// What is read.
    static let characteristics = [RobotGATT.movement, RobotGATT.rotation]

    /// The reads that are not answered yet.
    private(set) var open: [CharacteristicID] = []
    /// Why it is not at rest, as far as the reads tell.
    var complaint: String?

    /// Whether reads are under way.
    var isUnderWay: Bool { !open.isEmpty }

    mutating func begin() {
        open = Self.characteristics
        complaint = nil
    }

    /// Takes a read's end.
    ///
    /// - Returns: Whether it was the last one.
    mutating func completed(_ characteristic: CharacteristicID) -> Bool {
        guard let index = open.firstIndex(of: characteristic) else { return false }
        open.remove(at: index)
        return open.isEmpty
    }
}
