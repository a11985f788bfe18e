package import Bluetooth

/// The pending operations that a device's state machine has requested from the link.
///
/// Normal operations run one at a time, in order, so that a mode change completes before the operations that need it.
/// Urgent writes are sent ahead of them, unless an operation on the same characteristic is in progress. A stop that the
/// device does not acknowledge does not wait for that operation either, since a stop that is written later arrives
/// later. A stop drops the waiting normal writes, because only writes cause motion. A stop keeps the waiting reads and
/// subscriptions, without which a handshake would not complete.
package struct OperationQueue: Sendable {
    package typealias Operation = LinkOperation

    /// The maximum number of waiting normal operations, and of waiting urgent operations.
    package static let capacity = 256

    private var urgent: [LinkOperation] = []
    private var normal: [LinkOperation] = []
    private var urgentUnderWay: [CharacteristicID] = []
    private var normalUnderWay: LinkOperation?
    /// The characteristics to which stops are being written that did not wait for other operations.
    private var unstoppableUnderWay: [CharacteristicID] = []
    /// The characteristic of the waiting read that will prove that the link works.
    private var proof: CharacteristicID?
    /// Whether the normal operation in progress is the read that proves that the link works.
    package private(set) var isProofUnderWay = false

    /// Whether a write is waiting or in progress.
    package var hasWrites: Bool {
        !urgent.isEmpty || !urgentUnderWay.isEmpty || !unstoppableUnderWay.isEmpty
            || normal.contains(where: \.isWrite)
            || normalUnderWay?.isWrite ?? false
    }

    package init() {}

    /// Adds an operation.
    ///
    /// - Returns: The dropped operations: the waiting writes if the operation is a stop, or the operation itself if the
    ///   queue is full.
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
            // The queue is full of stops: a further stop would have no additional effect.
            let others = urgent.count { $0.priority == .stop } + unstoppableUnderWay.count
            guard others < Self.capacity else { return [operation] }
            let place = urgent.firstIndex { $0.priority != .stop } ?? urgent.endIndex
            urgent.insert(operation, at: place)
            let dropped = normal.filter(\.isWrite)
            normal.removeAll(where: \.isWrite)
            return dropped
        }
    }

    /// Adds a read that proves that the link is alive. It precedes the waiting normal operations. At most one such read
    /// waits.
    package mutating func addProof(_ id: CharacteristicID) { proof = id }

    /// Removes the waiting read that would prove that the link works. If the read is already in progress, it continues.
    package mutating func cancelProof() { proof = nil }

    /// Returns the next operation that can start, nil if there is none. When the operation has ended, the caller must
    /// pass it to ``finished(_:)``.
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

    /// The index of the first urgent operation that need not wait for another operation.
    private func placeOfUrgent() -> Int? {
        urgent.indices.first { place in
            let operation = urgent[place]
            let id = operation.characteristic
            return operation.isUnstoppable
                || !urgentUnderWay.contains(id) && normalUnderWay?.characteristic != id
                    && !urgent[..<place].contains { $0.characteristic == id }
        }
    }

    /// Records that an operation has succeeded or failed, so that operations that waited for it can start.
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
