import BridgeContract
import Console
import DeviceKit
import EventLoop
import JSON
import MQTT
import Messages

// Stops: each stop is published, and a sender that gave an id receives the answers of the bridges.
extension Hub {
    /// What happened to a stop that was requested.
    enum StopAnswer {
        case sent
        /// The stop is sent. The outcome contains the answers of the bridges, if the sender gave an id.
        case told(StopDesk.Outcome)
        /// The repeated stop is not sent, because a stick was pressed after the first copy of the stop.
        case driven
        /// The stop is sent, but no device or group has this name.
        case unknown(String)
        case noBroker
        /// The stop is not sent, because too many commands wait.
        case busy
    }

    /// Stops a device, or all devices.
    ///
    /// - Parameters:
    ///   - id: The sender's id, used to repeat the stop and to receive answers.
    ///   - share: The name of the sender, by which waiting commands are counted and limited.
    ///   - done: Receives the result: immediately without an id, otherwise when bridges have answered or the time is
    ///     over.
    func stop(
        _ device: String?, id: String?, over line: Line, _ session: Session, share: String,
        _ done: @escaping (StopAnswer) -> Void
    ) {
        let now = EventLoop.now
        let key = "\(session.id) \(session.user ?? "") \(device ?? "") \(id ?? "")"
        if id != nil, let sent = stops.sent(key), desk.isPressed(device, after: sent) { return done(.driven) }
        perform(desk.stop(device, at: now))
        guard line.isConnected else { return done(.noBroker) }
        guard line.waitingCount(of: share) < Tab.limits.commands else { return done(.busy) }
        let bridges = device.map { names.bridge(of: $0).map { [$0] } ?? [] } ?? names.onlineBridges
        let number = id.flatMap {
            stops.send(key, id: $0, device: device, bridges: Set(bridges), at: now)
        }
        let name = device ?? GroupFeatures.everything
        let isTaken = line.take(
            OutgoingMessage(
                topic: "\(prefix)\(name)/\(GroupFeatures.stop.name)/set",
                payload: JSON.Value.object(id.map { ["id": .string($0)] } ?? [:]).bytes,
                // Without an id, the sender does not repeat the stop, so the message must be kept across a reconnect.
                policy: number.map { .reply(correlation: Array("s\($0)".utf8)) } ?? .event,
                responseTopic: number == nil ? nil : line.replyTopic, isUrgent: true,
                share: share))
        guard isTaken else { return done(.busy) }
        if let device, !names.knows(device) { return done(.unknown(device)) }
        guard number != nil else { return done(.sent) }
        stopWaiters[key, default: []].append(done)
        if stops.outcome(key)?.isComplete == true { return tellStop(key) }
        _ = loop.schedule(after: StopDesk.patience) { self.tellStop(key) }
    }

    /// Processes a bridge's answer to a stop.
    func take(stopAnswer number: Int, _ payload: [UInt8]) {
        guard let key = stops.answer(number, payload), stops.outcome(key)?.isComplete == true else { return }
        tellStop(key)
    }

    private func tellStop(_ key: String) {
        guard let waiters = stopWaiters.removeValue(forKey: key), let outcome = stops.outcome(key) else {
            return
        }
        for waiter in waiters { waiter(.told(outcome)) }
    }

    /// Processes a stop from a page's WebSocket.
    func stop(_ device: String?, id: String?, _ tab: Tab) {
        stop(device, id: id, over: tab.line, tab.session, share: tab.share) { [number = tab.number] answer in
            guard let tab = self.tabs[number] else { return }
            switch answer {
            case .sent: break
            case .told(let outcome): self.send(Words.stopped(outcome), to: tab)
            case .driven:
                self.refuse(
                    tab, id, "driven", "the stop is not sent again: a robot is driven again", device: device)
            case .unknown(let name):
                self.refuse(tab, id, "unknown_device", Self.complaint(unknown: name), device: name)
            case .noBroker:
                self.refuse(tab, id, "no_broker", "there is no connection to the broker", device: device)
            case .busy: self.refuse(tab, id, "busy", Self.busy, device: device)
            }
        }
    }

    private static func complaint(unknown name: String) -> String {
        "no device or group has the name \(name); the stop was sent anyway; "
            + "allowed: the name of a device or group, or no device to stop everything"
    }

    /// Processes a stop from a plain HTTP request; an invalid body stops all devices.
    func stop(_ request: Request, _ answer: @escaping @Sendable (Response) -> Void) {
        guard let session = session(request), let line = line(of: session) else {
            return answer(.text(401, "log in first"))
        }
        guard
            case .stop(let device, let id) = ClientMessage.stop(
                (try? JSON.Value(parsing: request.body))?.object)
        else { return }
        stop(device, id: id, over: line, session, share: "requests of \(entrance.client(request) ?? "unix")")
        {
            result in
            switch result {
            case .sent: answer(Response(204))
            case .told(let outcome): answer(self.json(Words.stopped(outcome)))
            case .driven: answer(.text(409, "the stop is not sent again: a robot is driven again"))
            case .unknown(let name): answer(.text(404, Self.complaint(unknown: name)))
            case .noBroker: answer(.text(503, "there is no connection to the broker"))
            case .busy: answer(.text(503, Self.busy))
            }
        }
    }
}
