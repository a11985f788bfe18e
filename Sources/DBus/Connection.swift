public import EventLoop
public import Logging

/// Speaks with one message bus: calls, signals, names, and objects that others call.
///
/// It runs on the thread of its event loop; actors on the same loop call it without a thread change. Handlers
/// are called on that thread, one after the other in the order of the messages, and may enter such actors with
/// `assumeIsolated`. They must not block.
///
/// An answer that a task waits for is handed over before the messages behind it are: an actor on the same loop
/// that awaits `call` has gone on by the time its signal handlers see what was sent after the answer.
///
/// A connection is not mended: once it is closed or lost, every call fails, and a new one has to be opened
/// (``Reconnector`` does that).
public actor Connection {
    /// The loop that it runs on.
    public nonisolated let loop: EventLoop
    /// The bus that it was opened to.
    public nonisolated let address: Address
    // Written once, in `open`, before any other code knows the connection.
    /// The name that the bus gave it, such as `:1.42`.
    public nonisolated(unsafe) internal(set) var uniqueName = ""

    package let logger: Logger
    var transport: Transport?
    var closeReason: CloseReason?
    /// What the thread that opens the connection brought; nil until then, and once it is taken.
    var opened: Result<Transport.Handle, DBusError>?
    var isOpening = false
    /// The tasks that wait for the opening, for the end, and until everything is sent.
    let openWaiters: Waiters
    let closeWaiters: Waiters
    let flushWaiters: Waiters

    /// The handlers that wait for answers, by the number of the call's message.
    var pendingCalls: [UInt32: PendingCall] = [:]
    /// When the calls are looked at for those whose time is over; not later than the first of them is due.
    var callTimer: (deadline: Duration, timer: LoopTimer)?
    var subscribers: [Subscriber] = []
    var names = NameTable()
    /// What answers the calls of other programs; nil: they call nothing here.
    package var callReceiver: (any CallReceiver)?
    var closeHandlers: [@Sendable (CloseReason) -> Void] = []
    private var lastNumber: UInt64 = 0

    /// Runs the connection on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    // Private, since a visible initialiser beside an isolated deinit does not compile for another module with
    // optimisation (Swift 6.3.1: «circular reference»).
    private init(address: Address, loop: EventLoop, logger: Logger) {
        self.address = address
        self.loop = loop
        self.logger = logger
        openWaiters = Waiters(on: loop)
        closeWaiters = Waiters(on: loop)
        flushWaiters = Waiters(on: loop)
    }

    isolated deinit { end(.closed) }

    /// Opens a connection of its own (not shared with other code of the process) and registers it with the bus.
    ///
    /// - Parameters:
    ///   - timeout: For all of it: connecting, authentication and the registration.
    ///   - logger: What to report to; failures of handlers and dropped signals only.
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

    /// Sorts what has come.
    ///
    /// - Returns: False for a call that nothing here takes: libdbus refuses it.
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
