import Claims

// The checks of the promises.
extension Simulation {
    func report(_ promise: Checks.Promise, _ device: Peripheral, _ text: String) {
        tell(device.index, nil, "BROKEN: \(promise.rawValue)")
        checks.violations.append(
            Checks.Violation(
                promise: promise, seconds: now.inSeconds, text: "device \(device.index): \(text)"))
    }

    /// Whether a bridge is connected to the broker, and both sides know it.
    private func takesPart(_ host: Host) -> Bool {
        host.isActive && !host.isCut && host.hasSettled && host.session != nil
            && host.session == broker.sessions[host.index]?.number
    }

    /// Whether the set of online bridges is still changing.
    private var isUnsettled: Bool {
        guard broker.isUp else { return true }
        return hosts.contains { host in
            let session = broker.sessions[host.index]?.number
            // The broker waits for the keep-alive, or the bridge for retained messages.
            guard host.isActive, !host.isCut else { return session != nil }
            return host.session == nil || host.session != session || host.willAnswer
                || host.patienceEnd.map { now < $0 } ?? true && !broken.contains(.settling)
        }
    }

    func check() {
        timeline.after(Checks.interval) { self.check() }
        let participants = hosts.filter(takesPart)
        let isUnsettled = isUnsettled
        for device in devices {
            let index = device.index
            let speakers = participants.filter { $0.parties[index]?.claim.isSpeaking == true }
            let isCalm = !isUnsettled && checks.isCalm(index)
            checks.watched += Checks.interval
            if isCalm { checks.calm += Checks.interval }
            checkSpeakers(device, speakers, isCalm: isCalm, isWatched: !participants.isEmpty)
            checkLinks(device)
        }
    }

    private func checkSpeakers(_ device: Peripheral, _ speakers: [Host], isCalm: Bool, isWatched: Bool) {
        let index = device.index
        let step = isCalm ? Checks.interval : 0
        if speakers.count > 1 {
            // A device has a second to answer. In that time its bridge does not give it up.
            let isAsked = speakers.contains { host in
                guard let party = host.parties[index], party.isChallenging else { return false }
                return party.link?.isDead == true
            }
            let step = isAsked ? 0 : step
            checks.two[index] += step
            checks.grossTwo[index] += Checks.interval
            checks.longestTwo = max(checks.longestTwo, checks.grossTwo[index])
            if checks.two[index] > Checks.twoLimit, checks.two[index] - step <= Checks.twoLimit {
                report(.twoSpeakers, device, speakers.map(\.id).joined(separator: ", "))
            }
        } else {
            checks.two[index] = 0
            checks.grossTwo[index] = 0
        }
        if speakers.isEmpty, isWatched {
            checks.mute[index] += step
            checks.grossMute[index] += Checks.interval
            checks.longestMute = max(checks.longestMute, checks.grossMute[index])
            if checks.mute[index] > Checks.muteLimit, checks.mute[index] - step <= Checks.muteLimit {
                report(.mute, device, "")
            }
        } else {
            checks.mute[index] = 0
            checks.grossMute[index] = 0
        }
    }

    private func checkLinks(_ device: Peripheral) {
        for link in device.links where link.ready != nil {
            let isSilent =
                !link.isDead && link.host.isActive
                && link.host.parties[device.index].map { $0.link === link && $0.claim.isStandby } == true
            guard isSilent else {
                checks.silent[link.number] = nil
                continue
            }
            let time = checks.silent[link.number, default: 0] + Checks.interval
            checks.silent[link.number] = time
            if time > Checks.silentLimit, time - Checks.interval <= Checks.silentLimit {
                report(.silentLink, device, link.host.id)
            }
        }
    }
}
