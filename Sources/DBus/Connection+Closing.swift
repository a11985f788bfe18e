import EventLoop

extension Connection {
    /// Closes the connection: calls fail, streams finish, handlers of `onClose` are called. A second call does nothing.
    ///
    /// Messages that wait to be sent are lost; call `flush` first to send them.
    public func close() { end(.closed) }

    /// Whether the connection is open.
    public var isOpen: Bool { transport != nil && closeReason == nil }

    /// Calls a handler on the loop's thread when the connection ends; immediately if it has already ended.
    public func onClose(_ handler: @escaping @Sendable (CloseReason) -> Void) {
        if let closeReason {
            handler(closeReason)
        } else {
            closeHandlers.append(handler)
        }
    }

    /// Waits until the connection ends, and returns how it ended.
    ///
    /// - Throws: `CancellationError`.
    public func waitForClose() async throws -> CloseReason {
        _ = await closeWaiters.wait { self.closeReason != nil }
        guard let closeReason else { throw CancellationError() }
        return closeReason
    }

    /// Waits until all messages sent so far have been passed to the bus.
    ///
    /// - Throws: `DBusError` with `.closed` if the connection ends first; `CancellationError`.
    public func flush() async throws {
        guard await flushWaiters.wait(until: { !(self.transport?.hasMessagesToSend ?? false) }) else {
            throw CancellationError()
        }
        guard transport != nil else { throw DBusError.closed("Flush") }
    }

    /// Ends the calls, subscriptions and waiting tasks of the connection. The state is cleared before the first handler
    /// is called, so that handlers find the connection closed.
    func end(_ reason: CloseReason) {
        guard closeReason == nil else { return }
        closeReason = reason
        transport?.close()
        transport = nil
        let calls = pendingCalls.values
        let handlers = closeHandlers
        let listeners = subscribers
        pendingCalls = [:]
        callTimer?.timer.cancel()
        callTimer = nil
        closeHandlers = []
        subscribers = []
        callReceiver?.connectionEnded()
        for call in calls { call.complete(.failure(DBusError.closed(call.request.operation))) }
        flushWaiters.check()
        for listener in listeners { listener.finish() }
        for handler in handlers { handler(reason) }
        closeWaiters.check()
    }
}
