import Bluetooth
import DBus
import EventLoop

/// Receives the result of an operation, on the loop.
package typealias OperationHandler = @Sendable (Result<[UInt8], BlueZError>) -> Void

/// An operation on a link, with its D-Bus call to bluetoothd and its retries; belongs to the loop's thread.
final class LinkCall {
    let operation: LinkOperation
    let link: LinkState
    /// The characteristic's object path; nil if the device does not have it on the bus.
    let path: ObjectPath?
    /// Called before each attempt; the operation is canceled if the result is false.
    let isWanted: @Sendable () -> Bool
    /// The number of the task that waits for the result; nil if no task waits.
    let token: UInt64?
    /// Whether the call is retried after `InProgress`.
    var mayRetry: Bool
    var member: String
    var request: CallRequest?
    /// The time after which the call is not sent again.
    var deadline = Duration.zero
    /// The sequence number of a write without response. The write is not retried after a write with a higher number.
    var command: UInt64?
    /// The subscription that the operation creates, or that may receive the echo of a read (see ``ReadEcho``).
    var sink: NotificationSink?
    /// The timer that runs until the next retry.
    var pause: LoopTimer?
    private var handler: OperationHandler?

    init(
        _ operation: LinkOperation, _ link: LinkState, while isWanted: @escaping @Sendable () -> Bool,
        token: UInt64?, mayRetry: Bool, then handler: @escaping OperationHandler
    ) {
        self.operation = operation
        self.link = link
        self.isWanted = isWanted
        self.token = token
        self.mayRetry = mayRetry
        self.handler = handler
        path = link.table.characteristics[operation.characteristic]?.path
        member = operation.method
    }

    var subject: String { "\(link.address) \(operation.characteristic)" }

    var hasEnded: Bool { handler == nil }

    /// Whether the call may be sent again: retries are allowed, the caller still wants the operation, and no newer
    /// write replaces it.
    var isWantedAgain: Bool {
        if let command, link.commands[operation.characteristic] != command { return false }
        return mayRetry && isWanted()
    }

    func end(_ result: Result<[UInt8], BlueZError>) {
        let handler = handler
        self.handler = nil
        handler?(result)
    }

    func fail(_ code: BlueZError.Code, _ reason: String) {
        end(.failure(BlueZError(code, member, on: subject, reason)))
    }
}
