import CDBus
import EventLoop

extension Connection {
    /// The default timeout of a call, as in libdbus: 25 seconds.
    public static let defaultTimeout = Duration.seconds(25)

    /// Calls a method and waits for its answer.
    ///
    /// A canceled task stops waiting immediately; the call itself cannot be canceled.
    ///
    /// - Throws: `DBusError`: `.errorReply` with the error's name, `.timedOut`, `.closed`, or `.invalidValue` before
    ///   anything is sent; `CancellationError`.
    public func call(_ message: Message, timeout: Duration = Connection.defaultTimeout) async throws
        -> Message
    {
        try Task.checkCancellation()
        let ticket = CallTicket()
        // A continuation resumes on the preferred executor of its task, independent of the actor. Without this
        // preference the task would resume through the global pool, and later messages would be handled before the
        // answer.
        return try await withTaskExecutorPreference(loop) {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                    do {
                        ticket.serial = try startCall(.message(message), timeout: timeout) { result in
                            self.transport?.pause()
                            continuation.resume(with: Result { try result.get().message() })
                        }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            } onCancel: {
                loop.execute { self.assumeIsolated { $0.cancelCall(ticket) } }
            }
        }
    }

    /// Calls a method and returns the arguments of its answer; see ``call(_:timeout:)``.
    public func call(
        _ member: String, of interface: String, at path: ObjectPath, on destination: String,
        _ arguments: Value..., timeout: Duration = Connection.defaultTimeout
    ) async throws -> [Value] {
        try await call(
            Message(call: member, of: interface, at: path, on: destination, arguments), timeout: timeout
        ).arguments
    }

    /// Calls a method. The handler receives the answer on the loop's thread, in order with the other messages.
    ///
    /// - Throws: `DBusError` with `.closed` or `.invalidValue`; then nothing is sent and the handler is not called.
    public func call(
        _ message: Message, timeout: Duration = Connection.defaultTimeout,
        then handler: @escaping @Sendable (Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) {
        _ = try startCall(.message(message), timeout: timeout, complete: handler)
    }

    /// Calls a method; must be called on the loop's thread. The handler is called on that thread exactly once, in order
    /// with the other messages: with an answer, an error, a timeout or the end of the connection.
    ///
    /// - Throws: The errors of `call(_:timeout:then:)`.
    public nonisolated func start(
        _ request: CallRequest, timeout: Duration = Connection.defaultTimeout,
        then handler: @escaping (Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) {
        // The values do not leave the thread: `assumeIsolated` checks that this is the loop's thread, where answers
        // arrive too.
        nonisolated(unsafe) let (request, handler) = (request, handler)
        try assumeIsolated { connection in
            Result { () throws(DBusError) in
                _ = try connection.startCall(request, timeout: timeout, complete: handler)
            }
        }.get()
    }

    /// Calls a method; must be called on the loop's thread. The handler receives the answer inside an actor on the same
    /// loop, in order with the other messages.
    ///
    /// The actor is not retained.
    ///
    /// - Throws: The errors of `call(_:timeout:then:)`.
    public nonisolated func start<Owner: Actor>(
        _ message: Message, timeout: Duration = Connection.defaultTimeout, for owner: Owner,
        then handler: @escaping @Sendable (isolated Owner, Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) {
        let entry = OwnerEntry(owner)
        try start(.message(message), timeout: timeout) { entry.enter($0, handler) }
    }

    /// Sends a signal, or a method call without an answer.
    ///
    /// - Throws: `DBusError` with `.closed` or `.invalidValue`; then nothing is sent.
    public func send(_ message: Message) throws(DBusError) {
        guard let transport else { throw .closed(message.operation) }
        let encoded = try message.encoded()
        defer { dbus_message_unref(encoded) }
        _ = try transport.send(encoded)
    }

    /// The number of bytes that wait because the bus reads more slowly than they are sent.
    public var outgoingBytes: Int { transport?.outgoingBytes ?? 0 }

    /// Sends a call and stores the handler of its answer, by the message's serial number.
    private func startCall(
        _ request: CallRequest, timeout: Duration,
        complete: @escaping (Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) -> UInt32 {
        guard let transport else { throw .closed(request.operation) }
        let encoded = try request.encoded()
        defer { dbus_message_unref(encoded) }
        let serial = try transport.send(encoded)
        let deadline = EventLoop.now + timeout
        pendingCalls[serial] = PendingCall(
            request: request.withoutArguments, deadline: deadline, complete: complete)
        expectAnswers(by: deadline)
        return serial
    }

    func receiveAnswer(_ message: IncomingMessage) {
        // There is no entry if the call has timed out or was canceled.
        guard let call = pendingCalls.removeValue(forKey: message.replySerial) else { return }
        guard message.kind == .error, let name = message.errorName else {
            return call.complete(.success(message))
        }
        var reader = message.reader()
        let text = (try? reader.string()) ?? ""
        call.complete(
            .failure(
                DBusError(code: .errorReply, name: name, message: text, operation: call.request.operation)))
    }

    private func cancelCall(_ ticket: CallTicket) {
        guard let serial = ticket.serial, let call = pendingCalls.removeValue(forKey: serial) else { return }
        call.complete(.failure(CancellationError()))
    }

    // MARK: Timeouts

    /// Schedules the check for timed-out calls; one timer serves all calls. An answer does not change the timer: it
    /// fires as scheduled, and the next deadline is scheduled then.
    private func expectAnswers(by deadline: Duration) {
        if let callTimer, callTimer.deadline <= deadline { return }
        callTimer?.timer.cancel()
        let timer = loop.schedule(after: deadline - EventLoop.now) { [weak self] in
            self?.assumeIsolated { $0.timeOutCalls() }
        }
        callTimer = (deadline, timer)
    }

    private func timeOutCalls() {
        callTimer = nil
        let now = EventLoop.now
        let due = pendingCalls.filter { $0.value.deadline <= now }.keys.sorted()
        if due.count < pendingCalls.count {
            let rest = pendingCalls.values.lazy.map(\.deadline).filter { $0 > now }
            if let next = rest.min() { expectAnswers(by: next) }
        }
        for serial in due {
            guard let call = pendingCalls.removeValue(forKey: serial) else { continue }
            call.complete(
                .failure(
                    DBusError(
                        code: .timedOut, name: DBusError.Name.noReply, message: "No answer arrived in time",
                        operation: call.request.operation)))
        }
    }
}

/// Identifies the call that a task waits for, so that the call is found when the task is canceled.
///
/// `@unchecked Sendable`: accessed only on the loop's thread.
private final class CallTicket: @unchecked Sendable {
    var serial: UInt32?
}
