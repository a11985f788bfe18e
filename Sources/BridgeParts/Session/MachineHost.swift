package import DeviceKit

/// Runs a device's state machine: one event at a time, in order.
///
/// An event that arrives while another event is being handled waits for its turn.
package struct MachineHost: Sendable {
    /// An event for the state machine.
    package enum Event: Sendable {
        /// An input, and whether the machine's counters include it. The second copy of a stop is not counted.
        case input(Input, isCounted: Bool = true)
        case stage(LinkStage)

        /// Whether a state machine that replaces this one later will receive the event too.
        fileprivate var isToldToNew: Bool {
            switch self {
            case .stage, .input(.recalling, _): true
            case .input: false
            }
        }
    }

    private var machine: any DeviceMachine
    private var waiting: [Event] = []
    private var isHandling = false
    private var latches: [Bool] = []
    /// Whether replacing the machine would change nothing, because it has only received events that a new machine
    /// receives too.
    package private(set) var isFresh = true

    package init(_ machine: any DeviceMachine) { self.machine = machine }

    // MARK: Order

    /// Requests to pass an event to the machine.
    ///
    /// - Returns: False if another event is being handled. The new event then waits.
    package mutating func begin(_ event: Event?) -> Bool {
        guard isHandling else {
            isHandling = true
            return true
        }
        if let event { waiting.append(event) }
        return false
    }

    /// Whether events arrived while another event was being handled.
    package var isWaiting: Bool { !waiting.isEmpty }

    package mutating func next() -> Event? { waiting.isEmpty ? nil : waiting.removeFirst() }

    package mutating func end() { isHandling = false }

    // MARK: The machine

    /// Passes an event to the machine. If the reason that blocks motion has changed, the machine receives the new
    /// reason first, so that one report can include both the reason and the effect of the event.
    ///
    /// - Parameter block: Why motion is blocked now, or that it is not; nil if the machine knows this already.
    package mutating func handle(
        _ event: Event, block: MotionGate.Block?? = nil, at now: Duration, effects: inout Effects
    ) {
        if block != nil || !event.isToldToNew { isFresh = false }
        if let block { machine.handle(.motionBlocked(block), at: now, effects: &effects) }
        switch event {
        case .input(let input, _): machine.handle(input, at: now, effects: &effects)
        case .stage(let stage): machine.stageChanged(to: stage, at: now, effects: &effects)
        }
    }

    /// The writes that are required if the bridge stops responding now.
    package mutating func will() -> Will { machine.readWill() }

    package var isStopCertain: Bool { machine.isStopCertain }
    package var hasPower: Bool { machine.hasPower }

    /// Replaces the machine by a new machine, as after a restart.
    package mutating func replace(_ machine: any DeviceMachine) {
        (self.machine, latches, isFresh) = (machine, [], true)
    }

    // MARK: Emergency stops

    /// Records that the machine sets or releases an emergency stop, which is stored after the writes.
    package mutating func keepLatch(_ isSet: Bool) { latches.append(isSet) }

    /// Removes and returns the emergency stops to be stored, in order.
    package mutating func takeLatches() -> [Bool] {
        guard !latches.isEmpty else { return [] }
        defer { latches = [] }
        return latches
    }
}

extension DeviceMachine {
    /// Returns the will without copying the machine. A getter of an existential value runs on a copy of the value; a
    /// mutating method runs on the value itself. The will is read at every input, so this method is mutating although
    /// it changes nothing.
    fileprivate mutating func readWill() -> Will { will }
}
