import CDBus
import EventLoop

/// Drives one private connection of libdbus from the event loop; belongs to the loop's thread.
///
/// The C callbacks receive an unretained pointer to the transport. It remains valid because `close` removes the
/// callbacks, and the owner of the transport always calls `close`.
final class Transport {
    let loop: EventLoop
    private(set) var handle: OpaquePointer?
    var watches: [CInt: DescriptorWatch] = [:]
    var timers: [OpaquePointer: LoopTimer] = [:]
    /// The connection that owns this transport. It closes the transport in its deinit, which runs on the loop. Work
    /// that the loop runs between the last release of the owner and its deinit finds nil here.
    private weak var owner: Connection?
    /// Whether libdbus is reading or writing; received messages are dispatched after that.
    var isHandlingWatch = false
    private var isDispatching = false
    private var isDispatchDeferred = false
    /// The number of the newest pause. The end of an older pause has a lower number and is ignored.
    private var lastPause: UInt64 = 0
    private var isPaused = false
    private var memoryTimer: LoopTimer?

    /// The maximum number of messages dispatched before other descriptors and timers are handled.
    private static let dispatchLimit = 256

    /// Adopts a connection that libdbus has opened.
    init(handle: OpaquePointer, owner: Connection) {
        self.handle = handle
        self.owner = owner
        loop = owner.loop
    }

    /// Opens a connection. Blocks until the bus has accepted it, so it must not be called on the loop.
    static func openBlocking(_ address: String) -> Result<Handle, DBusError> {
        // libdbus sends with MSG_NOSIGNAL, so it does not need to change the process's signals.
        dbus_connection_set_change_sigpipe(0)
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let handle = dbus_connection_open_private(address, &error) else {
            let name = error.name.map { String(cString: $0) } ?? DBusError.Name.failed
            let message = error.message.map { String(cString: $0) } ?? ""
            return .failure(
                DBusError(
                    code: .cannotConnect, name: name, message: message, operation: "Connect to \(address)"))
        }
        dbus_connection_set_exit_on_disconnect(handle, 0)
        return .success(Handle(pointer: handle))
    }

    /// A connection that is passed from the opening thread to the loop.
    ///
    /// `@unchecked Sendable`: libdbus allows the transfer between threads, and no other code has the pointer yet.
    struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Closes and releases an unused connection.
        func discard() {
            dbus_connection_close(pointer)
            dbus_connection_unref(pointer)
        }
    }

    /// Connects libdbus to the loop; messages arrive from this call on.
    func start() {
        guard let handle else { return }
        let this = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_set_watch_functions(
            handle,
            { watch, this in Transport.from(this).add(watch) },
            { watch, this in Transport.from(this).remove(watch) },
            { watch, this in Transport.from(this).toggle(watch) }, this, nil)
        dbus_connection_set_timeout_functions(
            handle,
            { timeout, this in Transport.from(this).add(timeout: timeout) },
            { timeout, this in Transport.from(this).remove(timeout: timeout) },
            { timeout, this in Transport.from(this).toggle(timeout: timeout) }, this, nil)
        dbus_connection_set_dispatch_status_function(
            handle,
            { _, status, this in
                if status != DBUS_DISPATCH_COMPLETE { Transport.from(this).deferDispatch() }
            }, this, nil)
        dbus_connection_add_filter(handle, Self.filter, this, nil)
        if dbus_connection_get_dispatch_status(handle) != DBUS_DISPATCH_COMPLETE { deferDispatch() }
    }

    /// Closes the connection and removes all callbacks. A second call does nothing.
    func close() {
        guard let handle else { return }
        self.handle = nil
        let this = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_remove_filter(handle, Self.filter, this)
        dbus_connection_set_dispatch_status_function(handle, nil, nil, nil)
        // When its functions are replaced, libdbus first calls the old functions to remove every watch and timeout.
        _ = dbus_connection_set_watch_functions(handle, nil, nil, nil, nil, nil)
        _ = dbus_connection_set_timeout_functions(handle, nil, nil, nil, nil, nil)
        memoryTimer?.cancel()
        dbus_connection_close(handle)
        dbus_connection_unref(handle)
    }

    /// Queues a message and returns its serial number; libdbus writes it immediately if the socket is free.
    func send(_ message: OpaquePointer) throws(DBusError) -> UInt32 {
        guard let handle else { throw .closed(nil) }
        if dbus_message_contains_unix_fds(message) != 0,
            dbus_connection_can_send_type(handle, TypeCode.descriptor) == 0
        {
            throw .invalid("This bus cannot pass file descriptors")
        }
        var serial: dbus_uint32_t = 0
        guard dbus_connection_send(handle, message, &serial) != 0 else { throw .noMemory }
        return serial
    }

    var hasMessagesToSend: Bool {
        guard let handle else { return false }
        return dbus_connection_has_messages_to_send(handle) != 0
    }

    /// The number of bytes that wait for the socket.
    var outgoingBytes: Int {
        guard let handle else { return 0 }
        return dbus_connection_get_outgoing_size(handle)
    }

    /// Holds back later messages until the loop has run its queue and the resulting work. So a task that has just
    /// received its answer resumes before later messages are delivered.
    func pause() {
        lastPause += 1
        isPaused = true
        let number = lastPause
        owner?.assumeIsolated { $0.endPauseSoon(number) }
    }

    func endPause(_ number: UInt64) {
        guard number == lastPause else { return }
        isPaused = false
        dispatch()
    }

    /// Passes the received messages to the connection.
    func dispatch() {
        isDispatchDeferred = false
        guard !isDispatching, !isPaused else { return }
        isDispatching = true
        var budget = Self.dispatchLimit
        var status = DBUS_DISPATCH_DATA_REMAINS
        while let handle, budget > 0, !isPaused {
            status = dbus_connection_dispatch(handle)
            guard status == DBUS_DISPATCH_DATA_REMAINS else { break }
            budget -= 1
        }
        isDispatching = false
        guard handle != nil, !isPaused else { return }
        switch status {
        case DBUS_DISPATCH_COMPLETE:
            return
        case DBUS_DISPATCH_NEED_MEMORY:
            memoryTimer = loop.schedule(after: .milliseconds(10)) { [weak self] in self?.dispatch() }
        default:
            deferDispatch()
        }
    }

    func reportIfDrained() {
        if !hasMessagesToSend, handle != nil { owner?.assumeIsolated { $0.flushWaiters.check() } }
    }

    private func deferDispatch() {
        guard !isDispatching, !isHandlingWatch, !isPaused, !isDispatchDeferred else { return }
        isDispatchDeferred = true
        owner?.assumeIsolated { $0.deferDispatch() }
    }

    private static let filter: DBusHandleMessageFunction = { _, message, this in
        guard let message else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
        let incoming = IncomingMessage(sharing: message)
        let isTaken = Transport.from(this).owner?.enter(with: incoming) { $0.receive($1) } ?? true
        return isTaken ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }

    private static func from(_ this: UnsafeMutableRawPointer?) -> Transport {
        guard let this else { preconditionFailure("libdbus lost the pointer to its owner") }
        return Unmanaged<Transport>.fromOpaque(this).takeUnretainedValue()
    }
}
