import Bluetooth
import ESPHome
import EventLoop
import Logging
import ProxyClient

extension ProxyRadio {
    /// The time for the ends of the connections to devices when the radio stops.
    private static let closingTime = Duration.seconds(2)

    /// Keeps the session with the proxy until the task is canceled, then closes the links and the session.
    ///
    /// - Throws: `CancellationError`.
    package func run() async throws {
        run { $0.start(at: $1) }
        _ = await waiters.wait { false }
        let closing = links.values.sorted { $0.address < $1.address }
        for state in closing {
            state.isClosing = true
            run { $0.disconnect(state.address, at: $1) }
        }
        _ = await waiters.wait(upTo: Self.closingTime, isCancellable: false) {
            !closing.contains { self.connector.holds($0.address) }
        }
        run { $0.stop(at: $1) }
        statusEnded(.stopped)
        try Task.checkCancellation()
    }

    /// Calls the connector, and carries out its actions, in order. If an action causes further actions, these are
    /// carried out last.
    func run(_ body: (inout ProxyConnector, Duration) -> [ProxyConnector.Output]) {
        outputs += body(&connector, EventLoop.now)
        guard !isCarryingOut else { return }
        isCarryingOut = true
        while !outputs.isEmpty { carryOut(outputs.removeFirst()) }
        isCarryingOut = false
        updateTimer()
        waiters.check()
    }

    private func carryOut(_ output: ProxyConnector.Output) {
        switch output {
        case .open: open()
        case .send(let bytes): if socket?.send(bytes) == false { socketEnded("it accepts no data") }
        case .close: closeSocket()
        case .event(let event): handle(event)
        case .completed(let number, let result): completed(number, result)
        case .offline(let failure, let delay):
            statusEnded(failure)
            logger.debug("the next connection to the proxy follows later", metadata: ["delay": "\(delay)"])
        }
    }

    private func handle(_ event: ProxySession.Event) {
        let isFirstScan = status.scanner == nil
        let limit = status.slots?.limit
        status.handle(event)
        switch event {
        case .identified: socketError = nil
        case .subscription: statusChanged()
        case .scanner:
            statusChanged()
            if isFirstScan { logScanner() }
        case .slots: if status.slots?.limit != limit, reported == .ready { report(.adapterReady(adapter)) }
        case .advertisements(let packets): received(packets)
        case .connected(let address, let mtu, let services): connected(address, mtu: mtu, services)
        case .connectFailed(let address, let failure): connectFailed(address, failure)
        case .disconnected(let address, let failure): disconnected(address, failure)
        case .notification(let address, let handle, let value): notified(address, handle, value)
        case .unpaired(let address): unpaired.insert(address)
        }
    }

    // MARK: Socket

    private func open() {
        let socket = ProxySocket(host: settings.host, port: settings.port, on: loop) { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
        self.socket = socket
        socket.open()
    }

    private func handle(_ event: ProxySocket.Event) {
        switch event {
        case .opened: run { $0.opened(at: $1) }
        case .received(let bytes): run { $0.received(bytes, at: $1) }
        case .closed(let reason): socketEnded(reason)
        }
    }

    private func socketEnded(_ reason: String) {
        socketError = reason
        closeSocket()
        run { $0.closed(at: $1) }
    }

    private func closeSocket() {
        socket?.close()
        socket = nil
    }

    // MARK: Time

    /// Sets the timer for the next deadline, or keeps an earlier timer: the deadline moves with each message.
    private func updateTimer() {
        guard let deadline = connector.nextDeadline else {
            timer?.timer.cancel()
            timer = nil
            return
        }
        if let timer, timer.deadline <= deadline { return }
        timer?.timer.cancel()
        let next = loop.schedule(after: max(.zero, deadline - EventLoop.now)) { [weak self] in
            self?.assumeIsolated { $0.deadlinePassed() }
        }
        timer = (deadline, next)
    }

    private func deadlinePassed() {
        timer = nil
        run { $0.advance(to: $1) }
        dropStalled()
    }
}
