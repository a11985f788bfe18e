import Claims

// The connections to the broker, and their messages.
extension Simulation {
    /// How long a bridge waits before it reconnects, in microseconds.
    private static let retry = 500_000...2_000_000

    func connectToBroker(_ host: Host) {
        guard host.session == nil else { return }
        guard broker.isUp, !host.isCut else {
            return on(host, after: random.time(Self.retry)) { self.connectToBroker(host) }
        }
        // The broker closes an older connection of the same bridge.
        endSession(host)
        broker.lastSession += 1
        broker.sessions[host.index] = Broker.Session(number: broker.lastSession)
        host.session = broker.lastSession
        host.forgetBroker()
        listen(host)
        send(host, .availability(host: host.index, true))
        send(host, .subscribe)
        if broken.contains(.settling) { settle(host) }
    }

    /// Handles the loss of the broker connection.
    func loseBroker(_ host: Host, _ session: Int) {
        guard host.session == session else { return }
        host.session = nil
        host.forgetBroker()
        listen(host)
        on(host, after: random.time(Self.retry)) { self.connectToBroker(host) }
    }

    private func listen(_ host: Host) {
        for party in ordered(host) {
            party.said = nil
            party.claim.listen()
        }
    }

    /// The devices of a host, in a reproducible order.
    func ordered(_ host: Host) -> [Party] {
        host.parties.keys.sorted().compactMap { host.parties[$0] }
    }

    /// Closes a bridge's session on the broker and publishes its will.
    func endSession(_ host: Host) {
        guard broker.sessions[host.index] != nil else { return }
        broker.sessions[host.index] = nil
        route(.availability(host: host.index, false), from: host)
    }

    // MARK: Messages

    func send(_ host: Host, _ message: Message) {
        guard let session = host.session else { return }
        measures.count(message)
        let arrival = max(host.upstreamEnd, now + random.time(scenario.delay))
        host.upstreamEnd = arrival
        // A duplicate arrives before any later message.
        for _ in 0..<(random.happens(scenario.duplication) ? 2 : 1) {
            checks.depart(message)
            timeline.at(arrival) {
                self.checks.arrive(message)
                guard self.broker.sessions[host.index]?.number == session else { return }
                self.route(message, from: host)
            }
        }
    }

    /// Handles a message on the broker.
    func route(_ message: Message, from host: Host?) {
        switch message {
        case .subscribe:
            guard let host, let session = broker.sessions[host.index]?.number else { return }
            broker.sessions[host.index]?.isSubscribed = true
            return deliver(.store(broker.store, marker: session), to: host)
        case .claim(let device, let claim, let intent):
            broker.store.claims[device] = (claim, intent)
            if scenario.faultInterval != nil { overhear(device, claim) }
        case .availability(let index, let isOnline): broker.store.availability[index] = isOnline
        case .here, .offer, .command, .store: break
        }
        for other in receivers(of: message) where broker.sessions[other]?.isSubscribed == true {
            deliver(message, to: hosts[other])
        }
    }

    private func receivers(of message: Message) -> [Int] {
        guard !scenario.isKnownEverywhere else { return Array(hosts.indices) }
        switch message {
        case .claim(let device, _, _), .offer(let device, _), .command(let device, _):
            return devices[device].knownAt
        case .availability, .here, .subscribe, .store: return Array(hosts.indices)
        }
    }

    private func overhear(_ device: Int, _ claim: Claim) {
        overheard.append((device, claim))
        if overheard.count > 200 { overheard.removeFirst(100) }
    }

    private func deliver(_ message: Message, to host: Host) {
        guard let session = broker.sessions[host.index] else { return }
        let arrival = max(session.downstreamEnd, now + random.time(scenario.delay))
        broker.sessions[host.index]?.downstreamEnd = arrival
        let generation = host.generation
        for _ in 0..<(random.happens(scenario.duplication) ? 2 : 1) {
            checks.depart(message)
            timeline.at(arrival) {
                self.checks.arrive(message)
                guard !host.isCut, host.session == session.number else { return }
                self.perform(host, generation) {
                    if host.session == session.number { self.receive(message, host) }
                }
            }
        }
    }

    private func receive(_ message: Message, _ host: Host) {
        switch message {
        case .claim(let device, let claim, let intent):
            heard(host, party(host, devices[device]), claim, intent)
        case .availability(let other, let isOnline): heard(host, availability: isOnline, of: other)
        case .here(let other): heard(host, infoOf: other)
        case .offer(let device, let offer):
            guard offer.bridge != host.id else { return }
            if let party = host.parties[device] { heard(host, party, offer) }
        case .command(let device, let command): heard(host, party(host, devices[device]), command)
        case .store(let store, let marker):
            guard host.session == marker, !host.hasSettled else { return }
            receive(store, host)
        case .subscribe: break
        }
    }

    private func receive(_ store: Store, _ host: Host) {
        for (other, isOnline) in store.availability.enumerated() where other != host.index {
            if let isOnline, host.peers[other].isOnline == nil {
                host.heard(availability: isOnline, of: other, isStored: true)
            }
        }
        for party in ordered(host) {
            guard let stored = store.claims[party.device.index] else { continue }
            var claim = stored.claim
            claim.isStored = true
            heard(host, party, claim, stored.intent)
        }
        settle(host)
    }
}
