package import DeviceKit

/// Passes events to the motion gate, which decides whether the device may move. Passes the gate's decisions to the
/// device's state machine.
package struct MotionWatch: Sendable {
    package private(set) var gate: MotionGate
    /// The reason that blocks motion, as last passed to the state machine; nil if nothing was passed yet.
    private var toldBlock: MotionGate.Block??
    /// When the gate is called next, as scheduled; nil if no call is scheduled.
    private var alarm: Duration?
    /// Whether the state machine must be informed as soon as nothing blocks motion any longer.
    private var awaitsClearance = false

    package init(_ gate: MotionGate) { self.gate = gate }

    // MARK: Events for the gate

    package mutating func adopt(_ former: MotionGate) { gate.adopt(former) }

    package mutating func brokerChanged(isConnected: Bool, at now: Duration) {
        if isConnected { gate.connected(at: now) } else { gate.disconnected() }
    }

    package mutating func echoSent(_ value: String, at moment: Duration) { gate.echoSent(value, at: moment) }

    package mutating func echoReturned(_ value: String, at now: Duration) {
        gate.echoReturned(value, at: now)
    }

    /// Records which subscriptions for stops the broker has not granted. Without them, a stop cannot arrive.
    package mutating func subscriptions(missing topics: [String], isRecallMissing: Bool, at now: Duration) {
        gate.subscriptions(missing: topics, isRecallMissing: isRecallMissing, at: now)
    }

    /// Records whether the guardian has answered since it received the first ``Will`` of this link.
    package mutating func guarded(_ isGuarded: Bool) { gate.guarded(isGuarded) }

    /// Records a command when it arrives, even if it is refused later.
    ///
    /// - Parameter hasPower: Whether the device's motion output has power.
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

    /// Records an input before the state machine receives it.
    package mutating func observe(_ input: Input, at now: Duration) {
        switch input {
        case .connected: gate.linked(at: now)
        case .disconnected:
            awaitsClearance = false
            gate.unlinked(at: now)
        case .stop(let cause):
            awaitsClearance = false
            // Only stops that the gate did not order itself are passed to it.
            if let stop = MotionStop(cause) { gate.stopped(stop, at: now) }
        // The guardian ended a motion, because the bridge did not respond.
        case .guardian: gate.stopped(.guardian, at: now)
        default: break
        }
    }

    // MARK: Requests of the state machine

    /// Requests that the state machine is informed as soon as nothing blocks motion any longer.
    package mutating func awaitClearance() { awaitsClearance = true }

    /// Records a new state machine, which does not know yet whether motion is blocked.
    package mutating func machineReplaced() { (toldBlock, awaitsClearance) = (nil, false) }

    // MARK: Results

    package mutating func advance(to now: Duration) -> [MotionGate.Order] {
        if let alarm, alarm <= now { self.alarm = nil }
        return gate.advance(to: now)
    }

    /// When to call the gate next; nil if the call is scheduled already or not needed.
    package mutating func nextAlarm() -> Duration? {
        guard let next = gate.next, next != alarm else { return nil }
        alarm = next
        return next
    }

    /// The input that informs the state machine of a change of the gate's decision; nil if nothing has changed.
    package mutating func nextInput(at now: Duration, isReady: Bool) -> Input? {
        if let block = newBlock(at: now) { return .motionBlocked(block) }
        guard awaitsClearance, isReady, gate.isSettled(at: now) else { return nil }
        awaitsClearance = false
        return .cleared
    }

    /// Why motion is blocked now, or that it is not; nil if the state machine knows this already.
    package mutating func newBlock(at now: Duration) -> MotionGate.Block?? {
        let block = gate.block(at: now)
        guard toldBlock != .some(block) else { return nil }
        toldBlock = .some(block)
        return .some(block)
    }
}

extension MotionStop {
    /// The kind of stop that the gate records for a cause; nil for stops that the gate ordered itself, and for the end
    /// of the bridge.
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
