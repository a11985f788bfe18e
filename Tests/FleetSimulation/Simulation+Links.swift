import Claims

// Advertisements, and the start and end of links.
extension Simulation {
    private static let advertisementInterval = 100_000...110_000
    private static let linkedInterval = 1_000_000...1_010_000
    private static let pace = 1.4

    /// Lets a device advertise while it accepts another link.
    func advertise(_ device: Peripheral) {
        // A device that advertises while it has a link becomes faster.
        guard !device.isAdvertising || device.isBeacon else { return }
        device.isAdvertising = true
        device.advertising += 1
        let number = device.advertising
        timeline.after(random.time(0...100_000)) { self.sendAdvertisement(device, number) }
    }

    private func sendAdvertisement(_ device: Peripheral, _ number: Int) {
        guard device.advertising == number else { return }
        let isConnectable = device.links.count < device.centrals
        guard device.isOn, isConnectable || device.isBeacon else {
            device.isAdvertising = false
            return
        }
        let interval = isConnectable ? Self.advertisementInterval : Self.linkedInterval
        timeline.after(random.time(interval)) { self.sendAdvertisement(device, number) }
        var best: (attempt: Attempt, host: Host, strength: Double)?
        for (index, mean) in device.audible {
            let host = hosts[index]
            guard host.isPowered else { continue }
            let strength = mean + Air.fading * random.normal()
            guard strength > Air.sensitivity, !random.happens(Air.loss) else { continue }
            guard let attempt = host.attempt else {
                if host.isActive { heard(host, device, strength) }
                continue
            }
            // An adapter that is connecting receives no other advertisements.
            guard attempt.party.device === device, attempt.link == nil, isConnectable else { continue }
            attempt.lastHeard = now
            if best.map({ $0.strength < strength }) ?? true { best = (attempt, host, strength) }
        }
        // If several connection requests answer one advertisement, the strongest one succeeds.
        if let best { establish(best.attempt, best.host) }
    }

    private func establish(_ attempt: Attempt, _ host: Host) {
        let device = attempt.party.device
        linkCount += 1
        let digits = String(now)
        let since = String(repeating: "0", count: max(0, 15 - digits.count)) + digits
        let link = Link(number: linkCount, host: host, device: device, since: since)
        attempt.link = link
        device.links.append(link)
        host.links.append(link)
        on(host, after: random.time(scenario.setup)) {
            guard !attempt.isOver else { return }
            attempt.isOver = true
            host.attempt = nil
            if link.isDead {
                host.links.removeAll { $0 === link }
            } else {
                self.linked(host, attempt.party, link)
            }
            self.connectNext(host)
        }
    }

    private func linked(_ host: Host, _ party: Party, _ link: Link) {
        link.ready = now
        tell(party.device.index, host, "is linked")
        party.link = link
        measures.linked(link, lost: link.device.lost, belowBest: lag(link), at: now)
        link.device.lost = nil
        party.best.linked(strength: party.choice.score(HostChoice.Load()), at: timeline.moment)
        party.offers = [:]
        party.choice.reset()
        party.powerLink = nil
        // The first writes stop the device.
        link.device.motion = nil
        let intent = party.foreignIntent
        act(host, party, party.claim.linked())
        takeUp(intent, host, party, link)
    }

    /// How much better the best other host with a free slot would have been, in dB.
    func lag(_ link: Link) -> Double {
        let device = link.device
        let own = air.strength(of: device.index, at: device.position, for: link.host.index)
        let best = device.audible.lazy.filter { [scenario, hosts] in
            hosts[$0.host].isActive && hosts[$0.host].links.count < scenario.slots
        }.map(\.strength).max()
        return max(0, (best ?? own) - own)
    }

    // MARK: End of links

    /// Makes a link dead. Both sides detect this after their supervision timeouts.
    func fail(_ link: Link, _ cause: Measures.Cause) {
        guard !link.isDead else { return }
        link.isDead = true
        tell(link.device.index, link.host, "has a dead link: \(cause)")
        lose(link, cause)
        let (host, generation) = (link.host, link.host.generation)
        timeline.after(random.time(scenario.supervision)) {
            link.device.links.removeAll { $0 === link }
            self.advertise(link.device)
        }
        timeline.after(random.time(scenario.supervision)) {
            self.perform(host, generation) { self.unlinked(link) }
        }
    }

    /// Closes a link on both sides at once, unless it is already dead.
    func disconnect(_ link: Link, _ cause: Measures.Cause = .dropped) {
        if !link.isDead {
            link.isDead = true
            lose(link, cause)
            link.device.links.removeAll { $0 === link }
            advertise(link.device)
        }
        unlinked(link)
    }

    private func lose(_ link: Link, _ cause: Measures.Cause) {
        let device = link.device
        guard link.ready != nil, !device.links.contains(where: { $0 !== link && !$0.isDead }) else { return }
        device.lost = device.lost ?? (now, cause)
    }

    /// Handles the loss of a link on the host.
    private func unlinked(_ link: Link) {
        let host = link.host
        guard let index = host.links.firstIndex(where: { $0 === link }) else { return }
        // A link that is being established ends with its attempt.
        guard host.attempt?.link !== link else { return }
        host.links.remove(at: index)
        guard let party = host.parties[link.device.index], party.link === link else { return }
        party.link = nil
        party.best.unlinked()
        tell(party.device.index, host, "is not linked any more")
        act(host, party, party.claim.unlinked(host.neighbors, at: timeline.moment))
    }

    // MARK: Walks

    func walk() {
        timeline.after(.milliseconds(100)) { self.walk() }
        let round = now / 100_000
        for device in devices where device.isWalker {
            step(device)
            // The hosts in range are updated once a second, and the state of links every time.
            if (round + device.index).isMultiple(of: 10) {
                device.audible = air.hosts(hearing: device.index, at: device.position)
            }
            for link in device.links where !link.isDead {
                let strength = air.strength(of: device.index, at: device.position, for: link.host.index)
                if strength < Air.sensitivity { fail(link, .walked) }
            }
        }
    }

    private func step(_ device: Peripheral) {
        guard now >= device.dwellEnd else { return }
        let goal =
            device.goal ?? Air.Point(x: random.unit() * side, y: random.unit() * side)
        device.goal = goal
        let (dx, dy) = (goal.x - device.position.x, goal.y - device.position.y)
        let length = device.position.squaredDistance(to: goal).squareRoot()
        guard length > Self.pace / 10 else {
            device.goal = nil
            if scenario.dwell > 0 { device.dwellEnd = now + random.time(mean: scenario.dwell) }
            return
        }
        device.position.x += dx / length * Self.pace / 10
        device.position.y += dy / length * Self.pace / 10
    }
}
