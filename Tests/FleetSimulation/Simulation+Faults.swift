import Claims

// Faults.
extension Simulation {
    func planFault() {
        guard let interval = scenario.faultInterval else { return }
        timeline.after(random.time(mean: interval)) {
            if self.now < self.scenario.faultsEnd {
                self.commitFault()
                self.planFault()
            }
        }
    }

    private func commitFault() {
        let host = hosts[Int(random.next() % UInt64(hosts.count))]
        let device = devices[Int(random.next() % UInt64(devices.count))]
        switch random.next() % 13 {
        case 0: kill(host, restartAfter: random.time(500_000...20_000_000))
        case 1: freeze(host, for: random.time(100_000...20_000_000))
        case 2: cut(host, for: random.time(100_000...20_000_000))
        case 3: powerOff(host, for: random.time(5_000_000...30_000_000))
        case 4: breakConnection(host)
        case 5: restartBroker(for: random.time(100_000...5_000_000), withOldStore: false)
        case 6: restartBroker(for: random.time(100_000...5_000_000), withOldStore: true)
        case 7, 8: switchOff(device, for: random.time(1_000_000...20_000_000))
        case 9: forge(device)
        case 10: replay()
        case 11: for host in hosts { kill(host, restartAfter: random.time(100_000...2_000_000)) }
        default: broker.oldStore = broker.store
        }
    }

    /// Kills the bridge of a host. Its links are closed shortly after.
    package func kill(_ index: Int, restartAfter delay: Double) {
        kill(hosts[index], restartAfter: .seconds(delay))
    }

    private func kill(_ host: Host, restartAfter delay: Int) {
        guard host.isPowered, host.isRunning else { return }
        host.isRunning = false
        tell(nil, host, "is killed")
        // The system closes the connection of a killed process.
        if !host.isCut { closeSession(host) }
        let links = host.links
        timeline.after(random.time(100_000...500_000)) { for link in links { self.release(link) } }
        host.restart()
        timeline.after(delay) {
            guard host.isPowered, !host.isRunning else { return }
            host.isRunning = true
            self.start(host, after: 0)
        }
    }

    /// Closes a link of a killed bridge, as the host does.
    private func release(_ link: Link) {
        guard !link.isDead else { return }
        fail(link, .dropped)
    }

    private func freeze(_ host: Host, for time: Int) {
        guard host.isActive else { return }
        host.backlog = []
        tell(nil, host, "is frozen for \(time.inSeconds) s")
        keepAlive(host)
        // The guardian of the host stops its devices and closes some links.
        if random.happens(0.5) { for link in host.links { fail(link, .dropped) } }
        let generation = host.generation
        timeline.after(time) {
            guard host.generation == generation, let backlog = host.backlog else { return }
            host.backlog = nil
            for action in backlog { self.perform(host, generation, action) }
        }
    }

    private func cut(_ host: Host, for time: Int) {
        guard host.isPowered, !host.isCut else { return }
        host.isCut = true
        tell(nil, host, "is cut off for \(time.inSeconds) s")
        keepAlive(host)
        // The bridge detects this when the broker does, or when the cable is reconnected.
        let session = host.session
        let notice = min(time, scenario.keepAlive)
        timeline.after(time) { host.isCut = false }
        if let session { on(host, after: notice) { self.loseBroker(host, session) } }
    }

    /// Powers a host off for a time.
    package func powerOff(_ index: Int, seconds: Double) { powerOff(hosts[index], for: .seconds(seconds)) }

    private func powerOff(_ host: Host, for time: Int) {
        guard host.isPowered else { return }
        keepAlive(host)
        tell(nil, host, "loses power")
        for link in host.links { fail(link, .hostDied) }
        host.isPowered = false
        host.restart()
        timeline.after(time) {
            host.isPowered = true
            host.isRunning = true
            self.start(host, after: self.random.time(0...3_000_000))
        }
    }

    /// Closes a session on the broker when its keep-alive time is over.
    private func keepAlive(_ host: Host) {
        guard let session = broker.sessions[host.index]?.number else { return }
        timeline.after(scenario.keepAlive) {
            guard self.broker.sessions[host.index]?.number == session,
                !host.isActive || host.isCut || host.session != session
            else { return }
            self.endSession(host)
            self.on(host, after: 0) { self.loseBroker(host, session) }
        }
    }

    private func closeSession(_ host: Host) {
        let session = broker.sessions[host.index]?.number
        timeline.after(random.time(scenario.delay)) {
            if let session, self.broker.sessions[host.index]?.number == session { self.endSession(host) }
        }
    }

    private func breakConnection(_ host: Host) {
        guard host.isActive, !host.isCut, let session = host.session else { return }
        tell(nil, host, "loses its connection")
        closeSession(host)
        on(host, after: random.time(scenario.delay)) { self.loseBroker(host, session) }
    }

    private func restartBroker(for time: Int, withOldStore isOld: Bool) {
        guard broker.isUp else { return }
        broker.isUp = false
        tell(nil, nil, "the broker restarts with its \(isOld ? "old " : "")store")
        for host in hosts {
            broker.sessions[host.index] = nil
            if let session = host.session, !host.isCut {
                on(host, after: random.time(0...100_000)) { self.loseBroker(host, session) }
            }
        }
        if isOld { broker.store = broker.oldStore }
        timeline.after(time) { self.broker.isUp = true }
    }

    private func switchOff(_ device: Peripheral, for time: Int) {
        guard device.isOn else { return }
        device.isOn = false
        tell(device.index, nil, "the device is off for \(time.inSeconds) s")
        for link in device.links { fail(link, .switchedOff) }
        device.lost = device.lost.map { ($0.at, .switchedOff) }
        timeline.after(time) {
            device.isOn = true
            self.advertise(device)
        }
    }

    /// Forges a claim in the name of a bridge that may exist.
    private func forge(_ device: Peripheral) {
        let epoch = (broker.store.claims[device.index]?.claim.epoch ?? 0) + Int(random.next() % 3)
        let claim = Claim(
            bridge: Host.id(Int(random.next() % UInt64(hosts.count + 1))), epoch: epoch,
            state: random.happens(0.7) ? .linked : .released, since: random.happens(0.5) ? "0" : "9")
        tell(device.index, nil, "somebody forges \(claim.bridge) \(epoch) \(claim.state)")
        if broker.isUp { route(.claim(device: device.index, claim, nil), from: nil) }
    }

    /// Repeats an old claim.
    private func replay() {
        guard !overheard.isEmpty, broker.isUp else { return }
        let (device, claim) = overheard[Int(random.next() % UInt64(overheard.count))]
        tell(device, nil, "somebody repeats \(claim.bridge) \(claim.epoch) \(claim.state)")
        route(.claim(device: device, claim, nil), from: nil)
    }
}
