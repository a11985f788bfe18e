import Bluetooth
import DeviceKit
import ProxyClient

/// An operation on a link over a proxy, which waits until the device has answered the previous operation.
struct LinkRequest {
    let operation: ProxySession.Operation
    let handle: UInt16
    var priority = Write.Priority.normal
    /// Called just before the operation is sent. If it returns false, the operation is not sent.
    var isWanted: @Sendable () -> Bool = { true }
    /// Called once with the result.
    let completion: (Result<[UInt8], OperationError>) -> Void

    fileprivate var isWrite: Bool { if case .write = operation { true } else { false } }

    func fail(_ code: OperationError.Code, _ message: String) {
        completion(.failure(OperationError(code, message)))
    }
}

/// The operations of a link that wait: stops first, then urgent writes, then the other operations in order.
///
/// A device has at most one operation in progress, so that no command is on its way that a stop could not drop.
struct LinkRequestQueue {
    /// The maximum number of operations of each priority.
    static let capacity = 64

    private var waiting: [Write.Priority: [LinkRequest]] = [:]

    var isEmpty: Bool { waiting.values.allSatisfy(\.isEmpty) }

    /// Adds an operation.
    ///
    /// - Returns: The dropped operations: the waiting normal writes if the operation is a stop, or the operation itself
    ///   if the queue is full.
    mutating func add(_ request: LinkRequest) -> [LinkRequest] {
        guard waiting[request.priority, default: []].count < Self.capacity else { return [request] }
        waiting[request.priority, default: []].append(request)
        guard request.priority == .stop else { return [] }
        let dropped = waiting[.normal, default: []].filter(\.isWrite)
        waiting[.normal, default: []].removeAll(where: \.isWrite)
        return dropped
    }

    /// Removes and returns the next operation; nil if none waits.
    mutating func next() -> LinkRequest? {
        for priority in [Write.Priority.stop, .ahead, .normal] where waiting[priority]?.isEmpty == false {
            return waiting[priority]?.removeFirst()
        }
        return nil
    }

    /// Removes and returns all operations, in order.
    mutating func removeAll() -> [LinkRequest] {
        var all: [LinkRequest] = []
        while let next = next() { all.append(next) }
        return all
    }
}
