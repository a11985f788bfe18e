import CMosquitto
import EventLoop
import Glibc

// How a connection reads, writes and maintains its socket.
extension Connection {
    /// Starts to connect without waiting; `handler` is called when `advance` has work to do.
    func open(keepAlive: Duration, on loop: EventLoop, handler: @escaping (Readiness) -> Void) {
        let seconds = max(5, CInt(clamping: keepAlive.components.seconds))
        errno = 0
        let status = mosquitto_connect_async(handle, address.host, CInt(address.port), seconds)
        if endIfBroken(status) { return }
        let watch = loop.watch(mosquitto_socket(handle), for: [.readable, .writable], handler: handler)
        driver = Driver(loop: loop, watch: watch, handler: handler)
        updateInterest()
    }

    /// Reads and writes as far as the socket is ready.
    func advance(_ readiness: Readiness) {
        guard !hasEnded else { return }
        let isBroken = !readiness.isDisjoint(with: [.failed, .hungUp])
        if isBroken, !isEstablished, let number = pendingSocketError() {
            clues.socketError = number
            // Data received before the end may contain the reason: a TLS alert, or the broker's answer.
            read()
            return end(error(MOSQ_ERR_ERRNO.rawValue, number))
        }
        // A broker that rejects the client closes the connection. A failing write would lose the broker's reason, even
        // if the reason arrived after the last read. So this read precedes the write.
        if tls != nil, !isEstablished, !isShakingHands { read() }
        if readiness.contains(.writable) { write() }
        read()
        // OpenSSL reports no error for a connection that is reset during the handshake.
        if isBroken, isShakingHands { end(error(MOSQ_ERR_CONN_LOST.rawValue, 0)) }
        // Without TLS, an established connection needs no update here: the received data usually leads to an answer
        // soon, and `write` then updates the interest.
        if !isEstablished || tls != nil { updateInterest() }
    }

    /// Reads packets until there are none, but at most a fixed number per call, so that other connections are not
    /// delayed. The library reads as many packets at once as messages are in flight. After acknowledgements, reading
    /// continues only in the next turn of the loop: checking for more packets costs as much as reading them.
    private func read() {
        guard !isPaused else { return }
        let first = facts.count
        defer {
            let onlyAcknowledgements = facts.dropFirst(first).allSatisfy {
                if case .acknowledged = $0 { true } else { false }
            }
            pacing.read(onlyAcknowledgements: onlyAcknowledgements, isPatient: driver?.patience != nil)
        }
        for _ in 0..<16 where !hasEnded {
            errno = 0
            let known = facts.count
            let status = mosquitto_loop_read(handle, 1)
            let number = errno
            if endIfBroken(status, number) || number == EAGAIN || isShakingHands { return }
            // Reading stops after acknowledgements, but only without TLS: TLS may hold decrypted data, for which the
            // socket does not report readiness again.
            if tls == nil, facts.count > known, case .acknowledged = facts[facts.count - 1] { return }
        }
    }

    /// Makes the kernel acknowledge received data immediately instead of up to 40 ms later. By default mosquitto sends
    /// with Nagle's algorithm: after a small message, the next message waits for the kernel's acknowledgement. This
    /// delays even a `stop` among a thousand commands a second.
    ///
    /// Call this method after received data has been handled and the answers are written: an outgoing packet already
    /// carries the acknowledgement. The kernel resets the socket option (`TCP_QUICKACK`) at times, so it is set again
    /// each time. A Unix socket does not support the option.
    func acknowledge() {
        guard pacing.owesAcknowledgement, configuration.acknowledgesAtOnce, !hasEnded else { return }
        pacing.owesAcknowledgement = false
        setOption(TCP_QUICKACK, 1)
    }

    /// After messages sent in quick succession, lets the broker's acknowledgements collect in the socket, because each
    /// wake-up of the loop costs about as much as a message. The socket becomes readable when three acknowledgements or
    /// a longer packet have arrived. The loop reads it after two milliseconds at the latest. Acknowledgements do not
    /// collect if the window is small, since each allows the next message to be sent. They do not collect with TLS
    /// either, since TLS makes each acknowledgement longer than the socket's threshold.
    private func coalesceAcknowledgements() {
        guard let loop = driver?.loop, driver?.patience == nil, case .accepted(let window) = state,
            window >= 2 * SocketPacing.company
        else { return }
        setOption(
            SO_RCVLOWAT, CInt(SocketPacing.company * SocketPacing.acknowledgementSize), level: SOL_SOCKET)
        driver?.patience = loop.schedule(after: SocketPacing.patience) { [weak self] in
            guard let self, let handler = self.driver?.handler else { return }
            self.driver?.patience = nil
            self.setOption(SO_RCVLOWAT, 1, level: SOL_SOCKET)
            handler(.readable)
        }
    }

    private func setOption(_ option: CInt, _ value: CInt, level: CInt = CInt(IPPROTO_TCP)) {
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { return }
        var value = value
        _ = setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Writes the library's queued packets, as far as the socket accepts them.
    ///
    /// - Parameter messages: The number of messages among the queued packets.
    func write(messages: Int = 0) {
        guard let loop = driver?.loop, mosquitto_want_write(handle) else { return }
        if pacing.corks(messages, round: loop.round) {
            setOption(TCP_CORK, 1)
            _ = loop.schedule(after: .zero) { [weak self] in
                guard let self else { return }
                self.pacing.uncorked()
                self.setOption(TCP_CORK, 0)
            }
        }
        let began = EventLoop.now
        writes.began = began
        errno = 0
        let status = mosquitto_loop_write(handle, 1)
        let number = errno
        writes.began = nil
        if !mosquitto_want_write(handle) { pacing.owesAcknowledgement = false }
        endIfBroken(status, number)
        if pacing.expectsCompany(messages, at: began) { coalesceAcknowledgements() }
        updateInterest()
    }

    /// Runs the library's keep-alive. The client calls this method once a second.
    func tick() {
        guard !hasEnded else { return }
        errno = 0
        endIfBroken(mosquitto_loop_misc(handle))
        write()
    }

    /// Whether the other side accepted the connection, including TLS if used, but has not answered the CONNECT.
    var isUnanswered: Bool {
        guard case .opening = state, !isShakingHands else { return false }
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            getpeername(
                mosquitto_socket(handle), bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
                == 0
        }
    }

    private var isShakingHands: Bool {
        guard !hasEnded, tls != nil, let ssl = mosquitto_ssl_get(handle) else { return false }
        return SSL_is_init_finished(OpaquePointer(ssl)) == 0
    }

    func updateInterest() {
        guard let watch = driver?.watch else { return }
        let wantsToWrite: Bool
        if isShakingHands, let ssl = mosquitto_ssl_get(handle) {
            // The library requests to write even while TLS waits for data from the broker. So OpenSSL is asked whether
            // it has to write.
            wantsToWrite = SSL_want(OpaquePointer(ssl)) == SSL_WRITING
        } else {
            wantsToWrite = mosquitto_want_write(handle)
        }
        var interest: Interest = wantsToWrite ? [.readable, .writable] : .readable
        if isPaused { interest.remove(.readable) }
        watch.interest = interest
    }

    private func pendingSocketError() -> CInt? {
        var number: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(mosquitto_socket(handle), SOL_SOCKET, SO_ERROR, &number, &size) == 0, number != 0
        else {
            return nil
        }
        return number
    }

    @discardableResult
    private func endIfBroken(_ status: CInt, _ number: CInt = errno) -> Bool {
        guard !hasEnded else { return true }
        let isBroken = status != MOSQ_ERR_SUCCESS.rawValue && status != MOSQ_ERR_CONN_PENDING.rawValue
        guard isBroken || mosquitto_socket(handle) < 0 else { return false }
        end(error(status, number))
        return true
    }

    private func error(_ status: CInt, _ number: CInt) -> MQTTError {
        clues.error(
            status, number, isAccepted: isEstablished, tls: tls, host: configuration.serverName,
            broker: broker)
    }
}
