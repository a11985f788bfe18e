import Bluetooth

extension World {
    /// Handles radio events, with the scenario's faults applied.
    mutating func receive(
        _ stimulus: Stimulus, at index: Int, request: Int, now: Duration, outputs: inout [WorldOutput]
    ) {
        switch stimulus {
        case .connected:
            hosts[index].links += 1
            hosts[index].garbage?.linkBegan(at: now)
            updateAdvertising(of: index, outputs: &outputs)
            tell(.link(true), of: index, at: now, outputs: &outputs)
            // The firmware of a device that accepts several hosts treats all their connections as one. The virtual
            // device is therefore informed only about the first connection.
            guard hosts[index].links == 1 else { return }
            deliver(stimulus, to: index, at: now, outputs: &outputs)
        case .disconnected:
            guard hosts[index].isConnected else { return }
            hosts[index].links -= 1
            guard !hosts[index].isConnected else {
                tell(.link(false), of: index, at: now, outputs: &outputs)
                return updateAdvertising(of: index, outputs: &outputs)
            }
            hosts[index].subscriptions = []
            hosts[index].requests = []
            tell(.link(false), of: index, at: now, outputs: &outputs)
            deliver(stimulus, to: index, at: now, outputs: &outputs)
            updateAdvertising(of: index, outputs: &outputs)
        case .subscribed(let id, let isWanted):
            if isWanted {
                hosts[index].subscriptions.insert(id)
            } else {
                hosts[index].subscriptions.remove(id)
            }
            deliver(stimulus, to: index, at: now, outputs: &outputs)
        case .read(let id):
            take(stimulus, of: id, at: index, request: request, now: now, outputs: &outputs)
        case .write(let id, let bytes, _):
            tell(.write(id, bytes), of: index, at: now, outputs: &outputs)
            take(stimulus, of: id, at: index, request: request, now: now, outputs: &outputs)
        case .poweredOn, .bonded, .timer, .act:
            deliver(stimulus, to: index, at: now, outputs: &outputs)
        }
    }

    /// Handles a request: immediately, or later if a fault delays it. A fault can also reject the request.
    ///
    /// Requests are answered one after another, so that no request overtakes a delayed request.
    private mutating func take(
        _ stimulus: Stimulus, of id: CharacteristicID, at index: Int, request: Int, now: Duration,
        outputs: inout [WorldOutput]
    ) {
        let elapsed = now - (startedAt ?? now)
        var delay = Duration.zero
        for number in hosts[index].settings.faults.indices {
            let fault = hosts[index].settings.faults[number]
            guard fault.strikes(id.uuid, elapsed: elapsed) else { continue }
            switch fault.kind {
            case .slow(let duration): delay += duration
            case .refuse(let code):
                guard case .write = stimulus else { continue }
                hosts[index].settings.faults[number].times? -= 1
                let details = ["fault": "refuse", "characteristic": id.uuid.description]
                tell(.device(.other(event: "fault", details)), of: index, at: now, outputs: &outputs)
                outputs.append(.answer(request: request, .refused(code)))
                return
            }
            hosts[index].settings.faults[number].times? -= 1
        }
        let last = hosts[index].requests.last?.due ?? now
        if delay == .zero, hosts[index].requests.isEmpty {
            deliver(stimulus, to: index, request: request, at: now, outputs: &outputs)
        } else {
            let due = max(last, now + delay)
            hosts[index].requests.append(.init(due: due, stimulus: stimulus, request: request))
        }
    }
}
