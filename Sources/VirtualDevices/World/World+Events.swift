import Bluetooth

/// The ATT error codes of the simulator (Core Specification, Vol 3, Part F, 3.4.1.1).
enum ATTError {
    static let readNotPermitted: UInt8 = 0x02
    static let writeNotPermitted: UInt8 = 0x03
    static let notSupported: UInt8 = 0x06
    static let insufficientAuthentication: UInt8 = 0x05
    static let invalidLength: UInt8 = 0x0D
    static let unlikely: UInt8 = 0x0E
}

extension Stimulus {
    /// Whether the stimulus is a read or a write, which requires an answer.
    var isRequest: Bool {
        switch self {
        case .read, .write: true
        default: false
        }
    }
}

extension World {
    /// Carries out one due event.
    mutating func fire(_ what: Host.Due, of index: Int, at now: Duration, outputs: inout [WorldOutput]) {
        switch what {
        case .request:
            let pending = hosts[index].requests.removeFirst()
            deliver(pending.stimulus, to: index, request: pending.request, at: now, outputs: &outputs)
        case .timer(let name):
            hosts[index].timers[name] = nil
            deliver(.timer(name), to: index, at: now, outputs: &outputs)
        case .step(let number):
            var pending = hosts[index].steps[number]
            let remaining = pending.remaining.map { $0 - 1 }
            if let every = pending.step.every, remaining.map({ $0 > 0 }) ?? true {
                pending.due = max(pending.due + every, now)
                pending.remaining = remaining
                hosts[index].steps[number] = pending
            } else {
                hosts[index].steps.remove(at: number)
            }
            perform(LiveLine.Action(pending.step.act), on: index, at: now, outputs: &outputs)
        case .garbage:
            throwGarbage(at: index, now: now, outputs: &outputs)
        }
    }

    /// Passes a stimulus to a device and converts its reactions to outputs.
    mutating func deliver(
        _ stimulus: Stimulus, to index: Int, request: Int? = nil, at now: Duration,
        outputs: inout [WorldOutput]
    ) {
        var reactions: [Reaction] = []
        hosts[index].device.handle(stimulus, at: now, reactions: &reactions)
        var open = request
        func answer(_ answer: Answer) {
            guard let number = open else { return }
            open = nil
            outputs.append(.answer(request: number, answer))
        }
        for reaction in reactions {
            switch reaction {
            case .value(let bytes): answer(.value(bytes))
            case .written: answer(.written)
            case .refused(let code): answer(.refused(code))
            case .notify(let id, let bytes):
                hosts[index].lastValues[id] = bytes
                notify(id, bytes, of: index, outputs: &outputs)
            case .disconnect:
                if hosts[index].isConnected { outputs.append(.disconnect(device: hosts[index].name)) }
            case .advertise(let wanted):
                hosts[index].wantsToAdvertise = wanted
                updateAdvertising(of: index, outputs: &outputs)
            case .startTimer(let name, let delay):
                hosts[index].timers[name] = now + max(delay, .milliseconds(1))
            case .cancelTimer(let name): hosts[index].timers[name] = nil
            case .report(let report): tell(.device(report), of: index, at: now, outputs: &outputs)
            case .misunderstood(let message): tell(.error(message), of: index, at: now, outputs: &outputs)
            }
        }
        answer(.refused(ATTError.unlikely))
    }

    /// Notifies a value if a client has subscribed.
    func notify(_ id: CharacteristicID, _ bytes: [UInt8], of index: Int, outputs: inout [WorldOutput]) {
        guard hosts[index].isConnected, hosts[index].subscriptions.contains(id) else { return }
        outputs.append(.notify(device: hosts[index].name, id, bytes))
    }

    /// Informs the server if the device starts or stops advertising.
    mutating func updateAdvertising(of index: Int, outputs: inout [WorldOutput]) {
        let host = hosts[index]
        let isHeard = host.wantsToAdvertise && !host.isFull && !host.isMuted
        guard isHeard != host.isAdvertising else { return }
        hosts[index].isAdvertising = isHeard
        outputs.append(.advertise(device: host.name, isHeard))
    }

    func tell(_ event: Report.Event, of index: Int, at now: Duration, outputs: inout [WorldOutput]) {
        outputs.append(.report(Report(device: hosts[index].name, time: now, event: event)))
    }
}
