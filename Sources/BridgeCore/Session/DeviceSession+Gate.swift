import DeviceKit
import JSON
import Logging

// What may move: the motion gate is told all that it decides by, and what follows from it is done.
extension DeviceSession {
    // MARK: What the gate is told

    /// The broker is connected, or gone.
    func brokerChanged(isConnected: Bool) {
        if isConnected { gate?.connected(at: now) } else { gate?.disconnected() }
        updateGate()
    }

    /// An echo was handed to the socket.
    func echoSent(_ value: String, at moment: Duration) {
        gate?.echoSent(value, at: moment)
        updateGate()
    }

    /// An echo came back.
    func echoReturned(_ value: String) {
        gate?.echoReturned(value, at: now)
        updateGate()
        finishRecall(isTimeOver: false)
    }

    /// Whether echoes are of use: while the device is connected, and while what the broker has in store is awaited.
    var wantsEchoes: Bool { gate != nil && (link != nil || isRecalling) }

    /// Says which stops cannot arrive.
    func stopsMissing(_ topics: [String], isRecallMissing: Bool = false) {
        gate?.subscriptions(missing: topics, isRecallMissing: isRecallMissing, at: now)
        updateGate()
    }

    /// Takes note of a command as it arrives, whatever becomes of it.
    func observe(_ request: CommandRequest, _ command: Command) {
        guard isGated else { return }
        if command.traits.contains(.stop) {
            awaitsClearance = false
            gate?.stopped(MotionStop(rawValue: request.feature) ?? .stop, at: now)
        } else if command.traits.contains(.hazardous) {
            let isReadable = !request.isTooLarge
            let arguments = isReadable ? try? command.parse(request.payload).arguments : nil
            gate?.observe(family.motionRequest(request.feature, arguments), at: request.arrival)
        }
    }

    /// What an input means for the gate, before the state machine is told.
    func tellGate(_ input: Input) {
        guard isGated else { return }
        switch input {
        case .connected: gate?.linked(at: now)
        case .disconnected:
            awaitsClearance = false
            gate?.unlinked(at: now)
        case .stop(let cause):
            awaitsClearance = false
            // The gate itself began the others.
            if let stop = MotionStop(cause) { gate?.stopped(stop, at: now) }
        // It ended a motion, because the bridge was silent.
        case .guardian: gate?.stopped(.guardian, at: now)
        default: break
        }
    }

    // MARK: What follows

    /// Lets time pass for the gate.
    ///
    /// - Returns: The inputs that follow from it.
    func passGateTime() -> [Input] {
        guard isGated, let orders = gate?.advance(to: now) else { return [] }
        return orders.compactMap(carryOut)
    }

    private func carryOut(_ order: MotionGate.Order) -> Input? {
        let limit: Logger.Metadata = ["limit_ms": "\(gate?.limits.maxPathDelay.milliseconds ?? 0)"]
        switch order {
        case .stop:
            logger.warning("the way from the broker is late: the device is stopped", metadata: limit)
            return .stop(.pathLost)
        case .cutPower:
            logger.warning("the way from the broker did not come back: power is taken", metadata: limit)
            return .stop(.pathGone)
        case .echo:
            world.changed(.wantsEcho)
            return nil
        }
    }

    /// What the state machine has to be told because the gate changed, one after another.
    func nextGateInput() -> Input? {
        guard isGated, let gate else { return nil }
        if let next = gate.next, next != gateAlarm {
            gateAlarm = next
            startTimer(.gate, at: next)
        }
        if let block = newBlock() { return .motionBlocked(block) }
        guard awaitsClearance, isReady, gate.isSettled(at: now) else { return nil }
        awaitsClearance = false
        return .cleared
    }

    /// Why nothing that moves is taken now, if the state machine was told otherwise.
    func newBlock() -> MotionGate.Block?? {
        guard isGated, let gate else { return nil }
        let block = gate.block(at: now)
        guard toldBlock != .some(block) else { return nil }
        toldBlock = .some(block)
        return .some(block)
    }

    /// Does what follows from a change of the gate, or from time alone.
    func updateGate() {
        guard isGated else { return }
        if gateAlarm.map({ $0 <= now }) ?? false { gateAlarm = nil }
        feedGate()
    }

    /// Whether a command may reach the state machine.
    func judge(_ request: CommandRequest, _ arguments: Arguments) -> MotionGate.Verdict {
        guard isGated else { return .admitted }
        return gate?.judge(family.motionRequest(request.feature, arguments), at: now) ?? .admitted
    }
}

extension MotionStop {
    /// The gate's word for what stops a device; nil for what it orders itself, or what ends its life.
    fileprivate init?(_ cause: StopCause) {
        switch cause {
        case .allStop: self = .allStop
        case .brokerLost: self = .brokerLost
        case .reload: self = .reload
        case .late: self = .late
        case .suspend: self = .suspend
        case .shutdown, .pathLost, .pathGone: return nil
        }
    }
}
