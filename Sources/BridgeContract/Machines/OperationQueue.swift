package import Bluetooth

/// What a device's state machine asked of the link and is not done yet.
///
/// Normal operations go out one after another in order, so that a mode change is there before what needs it.
/// Urgent writes go ahead of them at once, unless an operation on the same characteristic is under way; a stop that
/// the device does not acknowledge does not wait even for that, since what is written later arrives later. A stop
/// drops the normal writes that wait: nothing but a write moves anything, and a handshake that lost a read or a
/// subscription to a stop would not be done.
package struct OperationQueue: Sendable {
    package typealias Operation = LinkOperation

    /// How many normal operations may wait, and how many urgent ones.
    package static let capacity = 256

    private var urgent: [LinkOperation] = []
    private var normal: [LinkOperation] = []
    private var urgentUnderWay: [CharacteristicID] = []
    private var normalUnderWay: LinkOperation?
    /// Where those that wait for nothing are under way.
    private var unstoppableUnderWay: [CharacteristicID] = []
    /// The read that is to prove that the link is there, as long as it waits.
    private var proof: CharacteristicID?
    /// Whether the normal operation that is under way is a read of the proof.
    package private(set) var isProofUnderWay = false

    /// Whether a write waits or is under way.
    package var hasWrites: Bool {
        !urgent.isEmpty || !urgentUnderWay.isEmpty || !unstoppableUnderWay.isEmpty
            || normal.contains(where: \.isWrite)
            || normalUnderWay?.isWrite ?? false
    }

    /// Makes an empty queue.
    package init() {}

    /// Adds an operation.
    ///
    /// - Returns: The operations that are given up for it: what waited, for a stop; itself, if too much waits.
    package mutating func add(_ operation: LinkOperation) -> [LinkOperation] {
        switch operation.priority {
        case .normal:
            guard normal.count < Self.capacity else { return [operation] }
            normal.append(operation)
            return []
        case .ahead:
            guard urgent.count < Self.capacity else { return [operation] }
            urgent.append(operation)
            return []
        case .stop:
            // That many stops say the same.
            let others = urgent.count { $0.priority == .stop } + unstoppableUnderWay.count
            guard others < Self.capacity else { return [operation] }
            let place = urgent.firstIndex { $0.priority != .stop } ?? urgent.endIndex
            urgent.insert(operation, at: place)
            let dropped = normal.filter(\.isWrite)
            normal.removeAll(where: \.isWrite)
            return dropped
        }
    }

    /// Adds a read that proves that the link is there. It goes before the normal operations that wait, and only one such
    /// read waits.
    package mutating func addProof(_ id: CharacteristicID) { proof = id }

    /// Takes the read of the proof back, unless it is under way.
    package mutating func cancelProof() { proof = nil }

    /// Takes the next operation that can start now, nil if none can; it must be given back to ``finished(_:)``.
    package mutating func next() -> LinkOperation? {
        if let place = placeOfUrgent() {
            let operation = urgent.remove(at: place)
            if operation.isUnstoppable {
                unstoppableUnderWay.append(operation.characteristic)
            } else {
                urgentUnderWay.append(operation.characteristic)
            }
            return operation
        }
        guard urgent.isEmpty, normalUnderWay == nil, let next = proof.map({ .read($0) }) ?? normal.first,
            !urgentUnderWay.contains(next.characteristic),
            !unstoppableUnderWay.contains(next.characteristic)
        else { return nil }
        isProofUnderWay = proof != nil
        if isProofUnderWay { proof = nil } else { normal.removeFirst() }
        normalUnderWay = next
        return next
    }

    /// Where the first of the urgent ones stands that waits for nothing, nor for one before it.
    private func placeOfUrgent() -> Int? {
        urgent.indices.first { place in
            let operation = urgent[place]
            let id = operation.characteristic
            return operation.isUnstoppable
                || !urgentUnderWay.contains(id) && normalUnderWay?.characteristic != id
                    && !urgent[..<place].contains { $0.characteristic == id }
        }
    }

    /// Says that an operation that was started is done, well or badly.
    package mutating func finished(_ operation: LinkOperation) {
        if operation.isUnstoppable {
            if let index = unstoppableUnderWay.firstIndex(of: operation.characteristic) {
                unstoppableUnderWay.remove(at: index)
            }
        } else if operation.priority == .normal {
            (normalUnderWay, isProofUnderWay) = (nil, false)
        } else if let index = urgentUnderWay.firstIndex(of: operation.characteristic) {
            urgentUnderWay.remove(at: index)
        }
    }
}
