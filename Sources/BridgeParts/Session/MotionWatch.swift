package import DeviceKit

/// Tells the motion gate all that it decides by, and the device's state machine what the gate decides.
package struct MotionWatch: Sendable {
    package private(set) var gate: MotionGate
    /// What the state machine was told of the gate; nil for nothing.
    private var toldBlock: MotionGate.Block??
    /// For when time is told to the gate next.
    private var alarm: Duration?
    /// Whether the state machine waits until nothing blocks motion.
    private var awaitsClearance = false

    package init(_ gate: MotionGate) { self.gate = gate }

    // MARK: What the gate is told

    package mutating func adopt(_ former: MotionGate) { gate.adopt(former) }

    package mutating func brokerChanged(isConnected: Bool, at now: Duration) {
        if isConnected { gate.connected(at: now) } else { gate.disconnected() }
    }

    package mutating func echoSent(_ value: String, at moment: Duration) { gate.echoSent(value, at: moment) }

    package mutating func echoReturned(_ value: String, at now: Duration) {
        gate.echoReturned(value, at: now)
    }

    /// Tells which stops cannot arrive.
    package mutating func subscriptions(missing topics: [String], isRecallMissing: Bool, at now: Duration) {
        gate.subscriptions(missing: topics, isRecallMissing: isRecallMissing, at: now)
    }

    /// The guardian has answered since it received this link's first will, or is gone.
    package mutating func guarded(_ isGuarded: Bool) { gate.guarded(isGuarded) }

    /// Takes note of a command as it arrives, whatever becomes of it.
    ///
    /// - Parameter hasPower: Whether the device has its power.
    package mutating func observe(
        _ request: CommandRequest, _ command: Command, of family: any DeviceFamily,
        hasPower: @autoclosure () -> Bool, at now: Duration
    ) {
        if command.traits.contains(.stop) {
            awaitsClearance = false
            gate.stopped(MotionStop(rawValue: request.feature) ?? .stop, at: now)
        } else if command.traits.contains(.hazardous), family.readOff(request, command) == nil {
            let arguments = request.isTooLarge ? nil : try? command.parse(request.payload).arguments
            gate.observe(
                family.motionRequest(request.feature, arguments), hasPower: hasPower(), at: request.arrival)
        }
    }

    /// Takes note of an input before the state machine is told.
    package mutating func observe(_ input: Input, at now: Duration) {
        switch input {
        case .connected: gate.linked(at: now)
        case .disconnected:
            awaitsClearance = false
            gate.unlinked(at: now)
        case .stop(let cause):
            awaitsClearance = false
            // The gate itself began the others.
            if let stop = MotionStop(cause) { gate.stopped(stop, at: now) }
        // It ended a motion, because the bridge was silent.
        case .guardian: gate.stopped(.guardian, at: now)
        default: break
        }
    }

    // MARK: What the state machine asks

    /// The state machine waits until nothing blocks motion.
    package mutating func awaitClearance() { awaitsClearance = true }

    /// Begins with a state machine that was told nothing.
    package mutating func machineReplaced() { (toldBlock, awaitsClearance) = (nil, false) }

    // MARK: What follows

    package mutating func advance(to now: Duration) -> [MotionGate.Order] {
        if let alarm, alarm <= now { self.alarm = nil }
        return gate.advance(to: now)
    }

    /// When to come back to tell the gate the time; nil if that is arranged.
    package mutating func nextAlarm() -> Duration? {
        guard let next = gate.next, next != alarm else { return nil }
        alarm = next
        return next
    }

    /// What the state machine has to be told because the gate changed, one after another.
    package mutating func nextInput(at now: Duration, isReady: Bool) -> Input? {
        if let block = newBlock(at: now) { return .motionBlocked(block) }
        guard awaitsClearance, isReady, gate.isSettled(at: now) else { return nil }
        awaitsClearance = false
        return .cleared
    }

    /// Why nothing that moves is taken now, if the state machine was told otherwise.
    package mutating func newBlock(at now: Duration) -> MotionGate.Block?? {
        let block = gate.block(at: now)
        guard toldBlock != .some(block) else { return nil }
        toldBlock = .some(block)
        return .some(block)
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
