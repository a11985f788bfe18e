import CDBus
import EventLoop

extension Connection {
    /// Connects and registers with the bus.
    ///
    /// libdbus connects with a blocking call: even a Unix socket blocks if the bus does not accept. So that call runs
    /// on a short-lived thread for every address; the registration runs on the loop's thread.
    func establish(timeout: Duration) async throws {
        let deadline = EventLoop.now + timeout
        let handle = try await openHandle(try address.resolved(), timeout: timeout)
        let transport = Transport(handle: handle.pointer, owner: self)
        self.transport = transport
        transport.start()
        do {
            let hello = Message(
                call: "Hello", of: BusName.bus, at: BusName.path, on: BusName.bus)
            let reply = try await call(hello, timeout: deadline - EventLoop.now)
            guard let name = reply.arguments.first?.string else {
                throw DBusError.unexpected("The bus assigned no name")
            }
            uniqueName = name
            dbus_bus_set_unique_name(handle.pointer, name)
        } catch let error as DBusError where error.code == .closed {
            throw DBusError(
                code: .cannotConnect, name: DBusError.Name.accessDenied,
                message: "The bus closed the connection before it was registered",
                operation: "Connect to \(address)")
        }
    }

    private func openHandle(_ text: String, timeout: Duration) async throws -> Transport.Handle {
        try Task.checkCancellation()
        isOpening = true
        defer { isOpening = false }
        try loop.offload {
            Transport.openBlocking(text)
        } then: { result in
            self.assumeIsolated { $0.receive(result) }
        }
        let isOpened = await openWaiters.wait(upTo: timeout) { self.opened != nil }
        if let opened {
            self.opened = nil
            return try opened.get()
        }
        guard !isOpened, !Task.isCancelled else { throw CancellationError() }
        throw DBusError(
            code: .timedOut, name: DBusError.Name.noReply,
            message: "The bus did not accept the connection in time",
            operation: "Connect to \(address)")
    }

    private func receive(_ result: Result<Transport.Handle, DBusError>) {
        guard isOpening else {
            // The handle is not needed: the open has timed out or its task was canceled.
            if case .success(let handle) = result { handle.discard() }
            return
        }
        opened = result
        openWaiters.check()
    }

    func deferDispatch() {
        loop.execute { [weak self] in self?.assumeIsolated { $0.transport?.dispatch() } }
    }

    /// Ends a pause of the transport (see `pause`) after the loop has run all queued work. A timer without delay
    /// achieves this, because the loop empties its queue before it checks the timers again.
    func endPauseSoon(_ number: UInt64) {
        loop.execute { [weak self] in
            self?.assumeIsolated { this in
                _ = this.loop.schedule(after: .zero) { [weak transport = this.transport] in
                    transport?.endPause(number)
                }
            }
        }
    }
}

/// The names of the message bus's own service, path and interface.
package enum BusName {
    package static let bus = "org.freedesktop.DBus"
    package static let path: ObjectPath = "/org/freedesktop/DBus"
    package static let local = "org.freedesktop.DBus.Local"
    package static let properties = "org.freedesktop.DBus.Properties"
    package static let introspectable = "org.freedesktop.DBus.Introspectable"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
}
