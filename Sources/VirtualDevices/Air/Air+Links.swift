import Bluetooth

extension Air {
    /// Handles a host's operation on a device.
    ///
    /// - Parameters:
    ///   - stimulus: A new, lost or newly encrypted connection, a read, a write or a subscription.
    ///   - request: The host's number for a read or a write, which is returned with the answer.
    /// - Returns: The outputs that the host must carry out, in order. An operation that is unanswered when its
    ///   connection ends gets no answer.
    package mutating func handle(
        _ stimulus: Stimulus, of device: String, from host: Int, request: Int = 0, at time: Duration
    ) -> [WorldOutput] {
        pass(to: time)
        switch stimulus {
        case .connected:
            guard accepts(device, from: host) else { break }
            links[device, default: []].append(Link(host: host))
            route(world.handle(stimulus, of: device, at: now), from: host)
        case .disconnected: release(device, of: host)
        case .read, .write, .subscribed:
            guard let place = place(of: host, on: device) else { break }
            if links[device]?[place].end == nil {
                deliver(stimulus, of: device, from: host, request: request)
            } else {
                links[device]?[place].sent.append((stimulus, request))
            }
        case .poweredOn, .bonded, .timer, .act:
            route(world.handle(stimulus, of: device, at: now), from: host)
        }
        return takeMail(of: host)
    }

    /// The index of a host's connection to a device; nil if there is none.
    func place(of host: Int, on device: String) -> Int? {
        links[device]?.firstIndex { $0.host == host }
    }

    /// Suspends a connection until its supervision timeout, or resumes it. At the end of the suspension, delivers the
    /// operations and outputs that waited.
    mutating func setHanging(_ isHanging: Bool, _ device: String, _ host: Int) {
        guard let place = place(of: host, on: device) else { return }
        guard !isHanging else {
            links[device]?[place].end = now + hosts[host].supervision
            return
        }
        let (sent, answered) = (links[device]?[place].sent ?? [], links[device]?[place].answered ?? [])
        links[device]?[place].end = nil
        links[device]?[place].sent = []
        links[device]?[place].answered = []
        hosts[host].mail += answered
        for item in sent { deliver(item.stimulus, of: device, from: host, request: item.request) }
    }

    /// Ends a connection and informs the host that it is lost.
    mutating func lose(_ device: String, of host: Int) {
        guard place(of: host, on: device) != nil else { return }
        hosts[host].mail.append(.drop(device: device))
        release(device, of: host)
    }

    /// Delivers a host's operation to a device. A subscription is delivered only if it is the first of all hosts, the
    /// end of a subscription only if it is the last of all hosts.
    private mutating func deliver(_ stimulus: Stimulus, of device: String, from host: Int, request: Int) {
        guard let place = place(of: host, on: device) else { return }
        if case .subscribed(let id, let isWanted) = stimulus {
            let wasWanted = isSubscribed(id, device)
            if isWanted {
                links[device]?[place].subscriptions.insert(id)
            } else {
                links[device]?[place].subscriptions.remove(id)
            }
            guard isSubscribed(id, device) != wasWanted else { return }
            return route(world.handle(stimulus, of: device, at: now), from: host)
        }
        lastRequest += 1
        requests[lastRequest] = Request(host: host, device: device, number: request)
        route(world.handle(stimulus, of: device, request: lastRequest, at: now), from: host)
    }

    private func isSubscribed(_ id: CharacteristicID, _ device: String) -> Bool {
        links[device]?.contains { $0.subscriptions.contains(id) } ?? false
    }

    /// Removes a connection with the host's subscriptions and unanswered requests.
    private mutating func release(_ device: String, of host: Int) {
        guard let place = place(of: host, on: device), let link = links[device]?.remove(at: place) else {
            return
        }
        if links[device]?.isEmpty == true { links[device] = nil }
        for (number, request) in requests where request.host == host && request.device == device {
            requests[number] = nil
        }
        if links[device] != nil {
            for id in link.subscriptions.sorted(by: { $0.uuid < $1.uuid }) where !isSubscribed(id, device) {
                route(world.handle(.subscribed(id, false), of: device, at: now), from: host)
            }
        }
        route(world.handle(.disconnected, of: device, at: now), from: host)
    }

    /// Distributes outputs of the devices to the hosts that they affect.
    ///
    /// - Parameter host: The host that caused the outputs, if any.
    mutating func route(_ outputs: [WorldOutput], from host: Int? = nil) {
        for output in outputs {
            switch output {
            case .answer(let number, let answer):
                guard let request = requests.removeValue(forKey: number) else { continue }
                send(.answer(request: request.number, answer), of: request.device, to: request.host)
            case .notify(let device, _, _):
                for link in links[device] ?? [] { send(output, of: device, to: link.host) }
            case .advertise(let device, _):
                for index in hosts.indices where isUp(device, index) { hosts[index].mail.append(output) }
            case .mute(let device, _):
                for index in hosts.indices where isUp(device, index) { hosts[index].mail.append(output) }
            case .disconnect(let device), .drop(let device):
                for link in links[device] ?? [] {
                    if link.end == nil {
                        hosts[link.host].mail.append(output)
                    } else {
                        lose(device, of: link.host)
                    }
                }
            case .move(let device, let placements): move(device, to: placements)
            case .report(let report): add(report, from: host)
            }
        }
    }

    /// Passes a device's output over a connection to a host. If the connection is suspended, the output waits.
    private mutating func send(_ output: WorldOutput, of device: String, to host: Int) {
        guard let place = place(of: host, on: device) else { return }
        if links[device]?[place].end == nil {
            hosts[host].mail.append(output)
        } else {
            links[device]?[place].answered.append(output)
        }
    }

    /// Adds a report. If there are several hosts, a report of a connection or a write names the host.
    private mutating func add(_ report: Report, from host: Int?) {
        guard !isOfOne else { return hosts[0].mail.append(.report(report)) }
        var report = report
        switch report.event {
        case .link, .write: report.host = host.map { hosts[$0].name }
        case .device, .garbage, .error: break
        }
        reports.append(report)
    }
}
