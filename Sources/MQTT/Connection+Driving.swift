import CMosquitto
import EventLoop
import Glibc

// How a connection moves: what it does when its socket is ready, and how it ends.
extension Connection {
    /// Begins to connect without waiting; `handler` is called when `advance` has something to do.
    func open(keepAlive: Duration, on loop: EventLoop, handler: @escaping (Readiness) -> Void) {
        let seconds = max(5, CInt(clamping: keepAlive.components.seconds))
        errno = 0
        self.loop = loop
        self.handler = handler
        let status = mosquitto_connect_async(handle, address.host, CInt(address.port), seconds)
        if endIfBroken(status) { return }
        watch = loop.watch(mosquitto_socket(handle), for: [.readable, .writable], handler: handler)
        updateInterest()
    }

    /// Does what the socket is ready for.
    func advance(_ readiness: Readiness) {
        guard !hasEnded else { return }
        let isBroken = !readiness.isDisjoint(with: [.failed, .hungUp])
        if isBroken, !isAccepted, let number = pendingSocketError() {
            socketError = number
            // What came before the end may tell more: an alert of TLS, or the broker's answer.
            read()
            return end(libraryError(MOSQ_ERR_ERRNO.rawValue, number))
        }
        // A broker that refuses us ends the connection: a write that fails would lose what it says of that, even if it
        // came only after we looked whether something has come.
        if tls != nil, !isAccepted, !isShakingHands { read() }
        if readiness.contains(.writable) { write() }
        read()
        // OpenSSL keeps silent about a connection that is reset during the handshake.
        if isBroken, isShakingHands { end(libraryError(MOSQ_ERR_CONN_LOST.rawValue, 0)) }
        // What was read mostly leaves something to write, which follows at once and says then what is waited for.
        if !isAccepted || tls != nil { updateInterest() }
    }

    /// Reads packets until there are none, but gives others their turn after a number of them. The library reads as
    /// many at once as messages are under way: what comes behind acknowledgements is left to the next round, where
    /// asking whether there is more costs as much as reading it.
    private func read() {
        guard !isPaused else { return }
        let first = facts.count
        defer { oweAcknowledgement(of: facts.dropFirst(first)) }
        var rounds = 16
        while !hasEnded, rounds > 0 {
            rounds -= 1
            errno = 0
            let known = facts.count
            let status = mosquitto_loop_read(handle, 1)
            let number = errno
            if endIfBroken(status, number) || number == EAGAIN || isShakingHands { return }
            // TLS may hold what the socket does not show any more.
            if tls == nil, facts.count > known, case .acknowledged = facts[facts.count - 1] { return }
        }
    }

    /// Notes that the kernel is to acknowledge what was read.
    ///
    /// Where nothing but acknowledgements came, there is time until `patience` ends: the next message that we send
    /// carries the kernel's with it, which spares a packet for each message of many.
    private func oweAcknowledgement(of facts: ArraySlice<Fact>) {
        let isAcknowledgement = facts.allSatisfy { if case .acknowledged = $0 { true } else { false } }
        if !isAcknowledgement || patience == nil { owesAcknowledgement = true }
    }

    /// Has the kernel acknowledge what was read in time and not up to 40 ms later. By default mosquitto sends with
    /// Nagle's algorithm: of many small messages the next waits for that, a stop among a thousand commands a second too.
    ///
    /// To be called when what was read has been handled, and what followed from it is written: a packet of ours
    /// carries the acknowledgement with it. The option lasts until the kernel thinks better of it, so it is set each
    /// time; a Unix socket knows none.
    func acknowledge() {
        guard owesAcknowledgement, acknowledgesAtOnce, !hasEnded else { return }
        owesAcknowledgement = false
        setOption(TCP_QUICKACK, 1)
    }

    /// Lets single acknowledgements wait for company after messages were sent that came close to each other: until three
    /// are there, or a message, which is longer than that, or for two milliseconds. Each by itself would wake the loop once more for every
    /// message, which costs about as much as the message. Where few may be under way, each makes room for the next.
    /// With TLS each is longer, and wakes.
    private func coalesceAcknowledgements() {
        guard patience == nil, window >= 2 * Self.company, !hasEnded, let loop, let handler else { return }
        setOption(SO_RCVLOWAT, CInt(Self.company * Self.acknowledgementSize), level: SOL_SOCKET)
        patience = loop.schedule(after: Self.longestPatience) { [weak self] in
            guard let self, !self.hasEnded else { return }
            self.patience = nil
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

    /// Writes what the library holds, as far as the socket takes it.
    ///
    /// - Parameter messages: How many messages are among it.
    func write(messages: Int = 0) {
        guard !hasEnded, mosquitto_want_write(handle) else { return }
        corkSocket(messages > 1)
        isWriting = true
        lastWriteBegan = EventLoop.now
        errno = 0
        let status = mosquitto_loop_write(handle, 1)
        let number = errno
        isWriting = false
        if !mosquitto_want_write(handle) { owesAcknowledgement = false }
        endIfBroken(status, number)
        if expectsCompany(messages) { coalesceAcknowledgements() }
        updateInterest()
    }

    /// Whether the acknowledgement of a message that is written has others near it. Where messages are far apart, to wait
    /// for one costs more than to be woken by it.
    private func expectsCompany(_ messages: Int) -> Bool {
        guard messages > 0 else { return false }
        let former = lastMessage
        lastMessage = lastWriteBegan
        return messages >= Self.company || former.map { lastWriteBegan - $0 < Self.longestPatience } ?? false
    }

    /// Lets what is written behind the first packet of a round leave together at the round's end: the library writes
    /// each packet by itself, and to send one costs the kernel several times what it costs to keep it. The first
    /// leaves at once, so that gathering delays nothing that comes alone.
    private func corkSocket(_ several: Bool) {
        guard let loop, !isCorked else { return }
        let isFirst = lastWrite != loop.round
        lastWrite = loop.round
        guard several || !isFirst else { return }
        isCorked = true
        setOption(TCP_CORK, 1)
        _ = loop.schedule(after: .zero) { [weak self] in
            guard let self else { return }
            self.isCorked = false
            self.setOption(TCP_CORK, 0)
        }
    }

    /// Lets the library keep the connection alive; to be called once a second.
    func tick() {
        guard !hasEnded else { return }
        errno = 0
        endIfBroken(mosquitto_loop_misc(handle))
        write()
    }

    /// Takes the facts that were noted since the last time.
    func takeFacts() -> [Fact] {
        guard !facts.isEmpty else { return [] }
        // Not with the capacity kept: that of the largest batch there ever was would be allocated for each.
        var taken: [Fact] = []
        swap(&taken, &facts)
        return taken
    }

    var hasFacts: Bool { !facts.isEmpty }

    /// Takes the number of messages of QoS 0 that were written since the last time.
    func takeWrittenStreams() -> Int {
        defer { writtenStreams = 0 }
        return writtenStreams
    }

    /// Whether messages can be handed over: the broker has accepted us and the socket is open.
    var isEstablished: Bool { isAccepted && !hasEnded }

    /// Whether the other side took the connection, with TLS where it is used, and has not answered our CONNECT.
    var isUnanswered: Bool {
        guard !hasEnded, !isAccepted, !isShakingHands else { return false }
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
        guard !hasEnded, let watch else { return }
        let wantsToWrite: Bool
        if isShakingHands, let ssl = mosquitto_ssl_get(handle) {
            // The library goes on asking to write while TLS waits for an answer.
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
        end(libraryError(status, number))
        return true
    }

    private func libraryError(_ status: CInt, _ number: CInt) -> MQTTError {
        if let refusal { return refusal }
        if let complaint = tls?.complaint {
            return MQTTError(certificate: complaint, host: serverName, broker: broker)
        }
        if !isAccepted, let tls, let alert = tls.alert,
            let error = MQTTError(alert: alert, hasCertificate: tls.hasCertificate, broker: broker)
        {
            return error
        }
        if isAccepted, let complaint {
            return MQTTError(
                .connectionLost, broker: broker, explanation: "the connection was closed (\(complaint))")
        }
        if complaint == nil, let socketError { return MQTTError(errno: socketError, broker: broker) }
        return MQTTError(library: status, systemError: number, complaint: complaint, broker: broker)
    }

    func end(_ error: MQTTError) {
        guard !hasEnded else { return }
        hasEnded = true
        watch?.cancel()
        watch = nil
        handler = nil
        patience?.cancel()
        facts.append(.ended(error))
    }
}
