import DBus
import EventLoop
import Logging

extension Client {
    /// Requests discovery of devices that are not connected. Discovery runs on all usable adapters while at least one
    /// token is active, and restarts when an adapter or bluetoothd returns.
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

    /// Starts or stops discovery on an adapter as needed.
    func updateDiscovery(_ path: ObjectPath) {
        guard let adapter = tree.adapters[path], adapter.isPowered, adapters.isWanted(adapter) else {
            // Only the state is reset: BlueZ itself stops discovery when the adapter is switched off or removed.
            control(path) { $0.reset() }
            return
        }
        let wanted =
            isServing && adapters.isAllowed(adapter) && !discovery.tokens.isEmpty && !connects.isBusy(path)
        control(path) { $0.want(wanted) }
    }

    /// Passes an event of an adapter to its discovery state machine, and carries out the resulting actions.
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

    /// Restarts discovery if no advertisement arrives for a long time.
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
        // If discovery is stopped, the next start of discovery also starts this watch again.
        guard discovery.adapters[path]?.control.state == .running else { return }
        guard discovery.adapters[path]?.silence.isOver(at: EventLoop.now) ?? false else {
            return waitForSilence(on: path)
        }
        logger.debug(
            "no advertisements received; restarting discovery", metadata: ["adapter": "\(path.name)"])
        control(path) { $0.silent() }
    }

    /// Starts discovery with a filter.
    ///
    /// BlueZ signals each RSSI only if a filter contains an RSSI (since commit e004414a1 of 2026-07-15; up to 5.87, any
    /// filter has this effect), otherwise only changes of 8 dB. Both filters pass every signal strength, because -127
    /// dBm is the minimum. `DuplicateData` is off: it would add a signal for unchanged data.
    private func startDiscovery(on path: ObjectPath) {
        let life = life
        let isSecond = discovery.adapters[path]?.control.usesSecondFilter ?? false
        let filter: [String: Value] = [
            "Transport": .string("le"), "DuplicateData": .bool(false), "RSSI": .int16(isSecond ? -126 : -127),
        ]
        start(
            "SetDiscoveryFilter", of: Names.adapter, at: path, [.properties(filter)], limit: limits.question,
            subject: path.name
        ) { client, result in
            guard client.life == life else { return }
            if case .failure(let error) = result {
                client.logger.debug(
                    "the discovery filter cannot be set; discovery starts without it",
                    metadata: ["reason": "\(error)"])
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
                // Either discovery already runs for this program, or the kernel still discovers for a bluetoothd that
                // was killed. The kernel then continues for up to 10 s, and the new bluetoothd does not report
                // `Discovering`.
                client.control(path) { $0.started(isDiscovering, isDiscovering: isDiscovering) }
            case .failure(let error):
                // If bluetoothd is missing, the failure is logged only at level debug, because another log line already
                // reports the missing bluetoothd.
                client.logger.log(
                    level: error.code == .serviceAway ? .debug : .warning,
                    "discovery does not start; retrying",
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
                    isRefused ? "bluetoothd did not stop discovery" : "discovery had already stopped",
                    metadata: ["reason": "\(error)"])
            }
            client.control(path) { $0.stopped(isRefused: isRefused) }
            client.wake(.adapter(path))
        }
    }
}
