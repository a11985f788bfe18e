public import EventLoop
public import Logging

/// A connection to one message bus: calls, signals, names, and exported objects.
///
/// It runs on the thread of its event loop; actors on the same loop call it without a thread change. Handlers are
/// called on that thread, one after the other in the order of the messages, and may enter such actors with
/// `assumeIsolated`. They must not block.
///
/// An answer that a task waits for is delivered before later messages. So an actor on the same loop that awaits `call`
/// resumes before its signal handlers receive messages that were sent after the answer.
///
/// A connection does not reconnect: once it is closed or lost, every call fails, and a new connection has to be opened
/// (``Reconnector`` does that).
public actor Connection {
    /// The event loop of the connection.
    public nonisolated let loop: EventLoop
    /// The address of the bus.
    public nonisolated let address: Address
    // `uniqueName` is written once, in `open`, before any other code has the connection.
    /// The unique name from the bus, such as `:1.42`.
    public nonisolated(unsafe) internal(set) var uniqueName = ""

    package let logger: Logger
    var transport: Transport?
    var closeReason: CloseReason?
    /// The result of the thread that connects to the bus. Nil before the result arrives and after the connection has
    /// taken it over.
    var opened: Result<Transport.Handle, DBusError>?
    var isOpening = false
    /// The tasks that wait until the connection is open, until it ends, and until all messages are sent.
    let openWaiters: Waiters
    let closeWaiters: Waiters
    let flushWaiters: Waiters

    /// The pending calls, by the serial number of the call's message.
    var pendingCalls: [UInt32: PendingCall] = [:]
    /// The timer that checks for timed-out calls, no later than the earliest deadline of a call.
    var callTimer: (deadline: Duration, timer: LoopTimer)?
    var subscribers: [Subscriber] = []
    var names = NameTable()
    /// The receiver of calls from other programs; nil if nothing is exported.
    package var callReceiver: (any CallReceiver)?
    var closeHandlers: [@Sendable (CloseReason) -> Void] = []
    private var lastNumber: UInt64 = 0

    /// The executor of the event loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    // Private, because a visible initializer next to an isolated deinit does not compile for another module with
    // optimization (Swift 6.3.1: «circular reference»).
    private init(address: Address, loop: EventLoop, logger: Logger) {
        self.address = address
        self.loop = loop
        self.logger = logger
        openWaiters = Waiters(on: loop)
        closeWaiters = Waiters(on: loop)
        flushWaiters = Waiters(on: loop)
    }

    isolated deinit { end(.closed) }

    /// Opens a private connection, not shared with other code of the process, and registers it with the bus.
    ///
    /// - Parameters:
    ///   - timeout: The limit for connecting, authentication and registration together.
    ///   - logger: Receives only failures of handlers and dropped signals.
    /// - Throws: `DBusError` with `.cannotConnect` or `.timedOut`; `CancellationError`.
    public static func open(
        _ address: Address, loop: EventLoop, timeout: Duration = .seconds(10), logger: Logger? = nil
    ) async throws -> Connection {
        let connection = Connection(
            address: address, loop: loop, logger: logger ?? Logger(label: "dbus"))
        do {
            try await connection.establish(timeout: timeout)
            return connection
        } catch {
            await connection.close()
            throw error
        }
    }

    package func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Dispatches a message by its kind.
    ///
    /// - Returns: False for a call without a receiver, which libdbus rejects.
    func receive(_ message: IncomingMessage) -> Bool {
        switch message.kind {
        case .signal: receiveSignal(message)
        case .methodReturn, .error: receiveAnswer(message)
        case .methodCall:
            guard let callReceiver else { return false }
            callReceiver.receive(message, on: self)
        }
        return true
    }
}
