import EventLoop

extension Connection {
    /// Closes the connection: calls fail, streams end, handlers of `onClose` are told. Does nothing twice.
    ///
    /// What waits to be sent is lost; `flush` first where that matters.
    public func close() { end(.closed) }

    /// Whether the connection can be used.
    public var isOpen: Bool { transport != nil && closeReason == nil }

    /// Calls a handler on the loop's thread when the connection ends; at once if it has ended.
    public func onClose(_ handler: @escaping @Sendable (CloseReason) -> Void) {
        if let closeReason {
            handler(closeReason)
        } else {
            closeHandlers.append(handler)
        }
    }

    /// Waits until the connection ends, and says how.
    ///
    /// - Throws: `CancellationError`.
    public func waitForClose() async throws -> CloseReason {
        if let closeReason { return closeReason }
        try Task.checkCancellation()
        let number = makeNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let closeReason { return continuation.resume(returning: closeReason) }
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                closeWaiters[number] = continuation
            }
        } onCancel: {
            loop.execute {
                self.assumeIsolated {
                    $0.closeWaiters.removeValue(forKey: number)?.resume(throwing: CancellationError())
                }
            }
        }
    }

    /// Waits until everything that was sent so far has gone to the bus.
    ///
    /// - Throws: `DBusError` with `.closed` if the connection ends before; `CancellationError`.
    public func flush() async throws {
        guard let transport else { throw DBusError.closed("Flush") }
        guard transport.hasMessagesToSend else { return }
        try Task.checkCancellation()
        let number = makeNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                guard let transport = self.transport else {
                    return continuation.resume(throwing: DBusError.closed("Flush"))
                }
                guard transport.hasMessagesToSend else { return continuation.resume() }
                flushWaiters[number] = continuation
            }
        } onCancel: {
            loop.execute {
                self.assumeIsolated {
                    $0.flushWaiters.removeValue(forKey: number)?.resume(throwing: CancellationError())
                }
            }
        }
    }

    func resumeFlushWaiters() {
        guard !flushWaiters.isEmpty else { return }
        let waiters = flushWaiters
        flushWaiters = [:]
        for waiter in waiters.values { waiter.resume() }
    }

    /// Ends everything that depends on the connection. The state is clear before anybody is told.
    func end(_ reason: CloseReason) {
        guard closeReason == nil else { return }
        closeReason = reason
        transport?.close()
        transport = nil
        let calls = pendingCalls.values
        let handlers = closeHandlers
        let (closers, flushers) = (closeWaiters.values, flushWaiters.values)
        let (listeners, tasks) = (subscribers, handlerTasks.values)
        pendingCalls = [:]
        callTimer?.timer.cancel()
        callTimer = nil
        closeHandlers = []
        closeWaiters = [:]
        flushWaiters = [:]
        subscribers = []
        handlerTasks = [:]
        answers = [:]
        for task in tasks { task.cancel() }
        for call in calls { call.complete(.failure(DBusError.closed(call.request.operation))) }
        for flusher in flushers { flusher.resume(throwing: DBusError.closed("Flush")) }
        for listener in listeners { listener.finish() }
        for handler in handlers { handler(reason) }
        for closer in closers { closer.resume(returning: reason) }
    }
}
