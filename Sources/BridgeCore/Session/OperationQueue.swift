import Bluetooth
import DeviceKit

/// What a device's state machine asked of the link and is not done yet.
///
/// Normal operations go out one after another in order, so that a mode change is there before what needs it.
/// Urgent writes go ahead of them at once, unless an operation on the same characteristic is under way. A stop
/// drops all that waits.
struct OperationQueue: Sendable {
    /// One thing to do on the link.
    enum Operation: Hashable, Sendable {
        case write(Write)
        case read(CharacteristicID)
        case subscribe(CharacteristicID)
        case unsubscribe(CharacteristicID)

        var characteristic: CharacteristicID {
            switch self {
            case .write(let write): write.characteristic
            case .read(let id), .subscribe(let id), .unsubscribe(let id): id
            }
        }

        var priority: Write.Priority {
            guard case .write(let write) = self else { return .normal }
            return write.priority
        }
    }

    /// How many normal operations may wait.
    static let capacity = 256

    private var urgent: [Operation] = []
    private var normal: [Operation] = []
    private var urgentUnderWay: [CharacteristicID] = []
    private var normalUnderWay: CharacteristicID?

    /// Whether nothing waits and nothing is under way.
    var isEmpty: Bool {
        urgent.isEmpty && normal.isEmpty && urgentUnderWay.isEmpty && normalUnderWay == nil
    }

    /// Adds an operation.
    ///
    /// - Returns: The operations that are given up for it: what waited, for a stop; itself, if too much waits.
    mutating func add(_ operation: Operation) -> [Operation] {
        switch operation.priority {
        case .normal:
            guard normal.count < Self.capacity else { return [operation] }
            normal.append(operation)
            return []
        case .ahead:
            urgent.append(operation)
            return []
        case .stop:
            let isStop: (Operation) -> Bool = { $0.priority == .stop }
            let dropped = urgent.filter { !isStop($0) } + normal
            urgent = urgent.filter(isStop) + [operation]
            normal = []
            return dropped
        }
    }

    /// Takes the operations that can start now; each must be given back to ``finished(_:)``.
    mutating func start() -> [Operation] {
        var started: [Operation] = []
        var waiting: [Operation] = []
        for operation in urgent {
            let id = operation.characteristic
            if urgentUnderWay.contains(id) || normalUnderWay == id
                || waiting.contains(where: { $0.characteristic == id })
            {
                waiting.append(operation)
            } else {
                urgentUnderWay.append(id)
                started.append(operation)
            }
        }
        urgent = waiting
        if urgent.isEmpty, normalUnderWay == nil, let next = normal.first,
            !urgentUnderWay.contains(next.characteristic)
        {
            normal.removeFirst()
            normalUnderWay = next.characteristic
            started.append(next)
        }
        return started
    }

    /// Says that an operation that was started is done, well or badly.
    mutating func finished(_ operation: Operation) {
        if operation.priority == .normal {
            normalUnderWay = nil
        } else if let index = urgentUnderWay.firstIndex(of: operation.characteristic) {
            urgentUnderWay.remove(at: index)
        }
    }

    /// Gives everything up that waits; what is under way ends by itself.
    mutating func dropAll() -> [Operation] {
        defer { (urgent, normal) = ([], []) }
        return urgent + normal
    }
}
