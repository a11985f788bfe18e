import CDBus
import EventLoop

extension Connection {
    /// How long a call waits if nothing else is said: libdbus's 25 seconds.
    public static let defaultTimeout = Duration.seconds(25)

    /// Calls a method and waits for its answer.
    ///
    /// A cancelled task stops waiting at once; the call itself cannot be taken back.
    ///
    /// - Throws: `DBusError`: `.errorReply` with the error's name, `.timedOut`, `.closed`, or `.invalidValue`
    ///   before anything is sent; `CancellationError`.
    public func call(_ message: Message, timeout: Duration = Connection.defaultTimeout) async throws
        -> Message
    {
        try Task.checkCancellation()
        let number = makeNumber()
        // A continuation resumes on the executor that its task prefers, whatever the actor: without this it would
        // go by way of the global pool, and the messages behind the answer would overtake it.
        return try await withTaskExecutorPreference(loop) {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                    startCall(message, timeout: timeout, number: number, continuation)
                }
            } onCancel: {
                loop.execute { self.assumeIsolated { $0.cancelCall(number) } }
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

    /// Calls a method; its answer goes to a handler on the loop's thread, in its place among the other messages.
    ///
    /// - Throws: `DBusError` with `.closed` or `.invalidValue`; nothing is sent and the handler not called then.
    public func call(
        _ message: Message, timeout: Duration = Connection.defaultTimeout,
        then handler: @escaping @Sendable (Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) {
        _ = try startCall(message, timeout: timeout, complete: handler)
    }

    /// Calls a method; its answer enters an actor on the same loop, in its place among the other messages.
    ///
    /// The actor is not kept alive.
    ///
    /// - Throws: As `call(_:timeout:then:)`.
    public func call<Owner: Actor>(
        _ message: Message, timeout: Duration = Connection.defaultTimeout, for owner: Owner,
        then handler: @escaping @Sendable (isolated Owner, Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) {
        let entry = OwnerEntry(owner)
        try call(message, timeout: timeout) { result in entry.enter(result, handler) }
    }

    /// Sends a signal, or a method call of which no answer is wanted.
    ///
    /// - Throws: `DBusError` with `.closed` or `.invalidValue`; nothing is sent then.
    public func send(_ message: Message) throws(DBusError) {
        guard let transport else { throw .closed(message.operation) }
        let encoded = try message.encoded()
        defer { dbus_message_unref(encoded) }
        _ = try transport.send(encoded)
    }

    /// The bytes that wait because the bus does not take them as fast as they are sent.
    public var outgoingBytes: Int { transport?.outgoingBytes ?? 0 }

    func startCall(
        _ message: Message, timeout: Duration,
        complete: @escaping (Result<IncomingMessage, any Error>) -> Void
    ) throws(DBusError) -> UInt32 {
        guard let transport else { throw .closed(message.operation) }
        guard message.kind == .methodCall else { throw .invalid("Only a method call has an answer") }
        let encoded = try message.encoded(wantsReply: true)
        defer { dbus_message_unref(encoded) }
        let serial = try transport.send(encoded)
        var header = message
        header.arguments = []
        let timer = loop.schedule(after: timeout) { [weak self] in
            self?.assumeIsolated { $0.timeOut(serial) }
        }
        pendingCalls[serial] = PendingCall(message: header, timer: timer, complete: complete)
        return serial
    }

    private func startCall(
        _ message: Message, timeout: Duration, number: UInt64,
        _ continuation: CheckedContinuation<Message, any Error>
    ) {
        do {
            cancellableCalls[number] = try startCall(message, timeout: timeout) { result in
                self.cancellableCalls[number] = nil
                self.transport?.pause()
                continuation.resume(with: Result { try result.get().message() })
            }
        } catch {
            continuation.resume(throwing: error)
        }
    }

    func receiveAnswer(_ message: IncomingMessage) {
        // Answers that nobody waits for any more come after a time-out or a cancellation.
        guard let call = pendingCalls.removeValue(forKey: message.replySerial) else { return }
        call.timer.cancel()
        guard let name = message.errorName else { return call.complete(.success(message)) }
        var reader = message.reader()
        let text = (try? reader.string()) ?? ""
        call.complete(
            .failure(
                DBusError(code: .errorReply, name: name, message: text, operation: call.message.operation)))
    }

    private func timeOut(_ serial: UInt32) {
        guard let call = pendingCalls.removeValue(forKey: serial) else { return }
        call.complete(
            .failure(
                DBusError(
                    code: .timedOut, name: DBusError.Name.noReply, message: "No answer came in time",
                    operation: call.message.operation)))
    }

    private func cancelCall(_ number: UInt64) {
        guard let serial = cancellableCalls[number],
            let call = pendingCalls.removeValue(forKey: serial)
        else { return }
        call.timer.cancel()
        call.complete(.failure(CancellationError()))
    }
}
