import DBus
import EventLoop
import Logging

extension Client {
    /// Asks to hear devices that are not connected; discovery runs on all usable adapters while at least one token
    /// lives, and is taken up again when an adapter or bluetoothd comes back.
    public func startDiscovery() -> DiscoveryToken {
        let number = makeNumber()
        discovery.tokens.insert(number)
        updateAllDiscoveries()
        return DiscoveryToken(number: number, client: self)
    }

    func endDiscovery(_ number: UInt64) {
        guard discovery.tokens.remove(number) != nil else { return }
        updateAllDiscoveries()
    }

    private func updateAllDiscoveries() {
        for adapter in tree.adapters.keys.sorted() { updateDiscovery(adapter) }
    }

    /// Makes discovery on an adapter what it should be.
    func updateDiscovery(_ path: ObjectPath) {
        guard let adapter = tree.adapters[path], adapter.isPowered, adapters.isWanted(adapter) else {
            // BlueZ has ended its discovery with the adapter.
            control(path) { $0.reset() }
            return
        }
        let wanted =
            isServing && adapters.isAllowed(adapter) && !discovery.tokens.isEmpty && !connects.isBusy(path)
        control(path) { $0.want(wanted) }
    }

    /// Lets the state machine of an adapter take something, and does what it says.
    func control(_ path: ObjectPath, _ input: (inout DiscoveryControl) -> [DiscoveryControl.Action]) {
        let actions = input(&discovery.adapters[path, default: DiscoveryTable.Entry(limits)].control)
        for action in actions {
            switch action {
            case .start: startDiscovery(on: path)
            case .stop: stopDiscovery(on: path)
            case .startTimer:
                discovery.adapters[path]?.timer?.cancel()
                discovery.adapters[path]?.timer = loop.schedule(after: limits.discovery) { [weak self] in
                    self?.assumeIsolated { $0.control(path) { $0.timerFired() } }
                }
            case .cancelTimer:
                discovery.adapters[path]?.timer?.cancel()
                discovery.adapters[path]?.timer = nil
            }
        }
    }

    /// Begins discovery anew if nothing is heard for long.
    private func watchSilence(on path: ObjectPath) {
        discovery.adapters[path]?.silence.began(at: EventLoop.now)
        guard discovery.adapters[path]?.silenceTimer == nil else { return }
        waitForSilence(on: path)
    }

    private func waitForSilence(on path: ObjectPath) {
        guard let deadline = discovery.adapters[path]?.silence.deadline else { return }
        discovery.adapters[path]?.silenceTimer = loop.schedule(after: deadline - EventLoop.now) {
            [weak self] in
            self?.assumeIsolated { $0.silenceIsDue(on: path) }
        }
    }

    private func silenceIsDue(on path: ObjectPath) {
        discovery.adapters[path]?.silenceTimer = nil
        // What does not run now is watched from its next start on.
        guard discovery.adapters[path]?.control.state == .running else { return }
        guard discovery.adapters[path]?.silence.isOver(at: EventLoop.now) ?? false else {
            return waitForSilence(on: path)
        }
        logger.debug(
            "nothing is heard; discovery begins anew", metadata: ["adapter": "\(path.name)"])
        control(path) { $0.silent() }
    }

    /// Starts discovery with a filter. A filter lifts BlueZ's threshold of 8 dB under which it would not signal a
    /// new RSSI, so every advertisement that the controller reports counts as heard. `DuplicateData` is off: it
    /// would add a signal for unchanged manufacturer data, of which nothing is used here. The second filter also lets
    /// every signal strength through: -127 dBm is the least there is.
    private func startDiscovery(on path: ObjectPath) {
        let life = life
        var filter: [String: Value] = ["Transport": .string("le"), "DuplicateData": .bool(false)]
        if discovery.adapters[path]?.control.usesSecondFilter ?? false { filter["RSSI"] = .int16(-127) }
        start(
            "SetDiscoveryFilter", of: Names.adapter, at: path, [.properties(filter)], limit: limits.question,
            subject: path.name
        ) { client, result in
            guard client.life == life else { return }
            if case .failure(let error) = result {
                client.logger.debug("no discovery filter", metadata: ["reason": "\(error)"])
            }
            client.callStartDiscovery(on: path)
        }
    }

    private func callStartDiscovery(on path: ObjectPath) {
        let life = life
        start(
            "StartDiscovery", of: Names.adapter, at: path, limit: limits.question, subject: path.name
        ) { client, result in
            guard client.life == life else { return }
            let isDiscovering = client.tree.adapters[path]?.isDiscovering ?? false
            switch result {
            case .success:
                client.control(path) { $0.started(true, isDiscovering: isDiscovering) }
            case .failure(let error) where error.code == .inProgress:
                // Either it runs for this program already, or the kernel is still at what a killed bluetoothd
                // began, which takes up to 10 s and of which the new one tells nothing.
                client.control(path) { $0.started(isDiscovering, isDiscovering: isDiscovering) }
            case .failure(let error):
                // Why there is no bluetoothd is told elsewhere.
                client.logger.log(
                    level: error.code == .serviceAway ? .debug : .warning,
                    "discovery does not start; trying again",
                    metadata: ["reason": "\(error)", "remedy": "\(error.remedy ?? "none known")"])
                client.control(path) { $0.started(false, isDiscovering: false) }
            }
            if client.discovery.adapters[path]?.control.state == .running { client.watchSilence(on: path) }
            client.wake(.adapter(path))
        }
    }

    private func stopDiscovery(on path: ObjectPath) {
        let life = life
        start(
            "StopDiscovery", of: Names.adapter, at: path, limit: limits.question, subject: path.name
        ) { client, result in
            guard client.life == life else { return }
            var isRefused = false
            if case .failure(let error) = result {
                isRefused = [.inProgress, .timeout].contains(error.code)
                client.logger.debug(
                    isRefused ? "discovery was not stopped" : "discovery had ended already",
                    metadata: ["reason": "\(error)"])
            }
            client.control(path) { $0.stopped(isRefused: isRefused) }
            client.wake(.adapter(path))
        }
    }
}
