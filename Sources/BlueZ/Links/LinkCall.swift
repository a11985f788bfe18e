import Bluetooth
import DBus
import EventLoop

/// Takes the end of an operation, on the loop.
package typealias OperationHandler = @Sendable (Result<[UInt8], BlueZError>) -> Void

/// An operation on a link and its call of bluetoothd, with its tries; belongs to the loop's thread.
final class LinkCall {
    let operation: LinkOperation
    let link: LinkState
    /// The characteristic's object; nil if the device has none on the bus.
    let path: ObjectPath?
    /// Asked before each try.
    let isWanted: @Sendable () -> Bool
    /// Whose task waits for it; nil if none does.
    let token: UInt64?
    /// Whether `InProgress` is waited out.
    var mayRetry: Bool
    /// The method that is called.
    var member: String
    var request: CallRequest?
    /// When it is given up; it is not tried again after that.
    var deadline = Duration.zero
    /// The number of a write without response, which gives way to a newer one instead of following it.
    var command: UInt64?
    /// The subscription that a subscription makes, or that a read may have an echo in.
    var sink: NotificationSink?
    /// Waits for the next try.
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

    /// Whether it may be tried once more.
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
