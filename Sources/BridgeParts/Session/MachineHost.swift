package import DeviceKit

/// Runs a device's state machine: one event at a time, in order.
///
/// What is told while an event is being handled waits until that is done.
package struct MachineHost: Sendable {
    /// What the state machine is told.
    package enum Event: Sendable {
        /// An input, and whether what the machine counts by it is counted: not for the second copy of a stop.
        case input(Input, isCounted: Bool = true)
        case stage(LinkStage)

        /// Whether a machine that begins later is told of it too.
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
    /// Whether a new machine would know no less: this one was told of the link's stage, and of states to be recalled,
    /// and of nothing else.
    package private(set) var isFresh = true

    package init(_ machine: any DeviceMachine) { self.machine = machine }

    // MARK: Order

    /// Begins to handle an event.
    ///
    /// - Returns: False if another one is being handled: then this one waits.
    package mutating func begin(_ event: Event?) -> Bool {
        guard isHandling else {
            isHandling = true
            return true
        }
        if let event { waiting.append(event) }
        return false
    }

    /// Whether events arrived meanwhile.
    package var isWaiting: Bool { !waiting.isEmpty }

    /// Takes the next event that arrived meanwhile.
    package mutating func next() -> Event? { waiting.isEmpty ? nil : waiting.removeFirst() }

    package mutating func end() { isHandling = false }

    // MARK: The machine

    /// Tells the machine of an event; of a motion block first, so that one report tells of both.
    ///
    /// - Parameter block: What blocks motion now, if the machine was told otherwise.
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

    /// What must be written if the bridge dies now.
    package mutating func will() -> Will { machine.readWill() }

    package var isStopCertain: Bool { machine.isStopCertain }
    package var hasPower: Bool { machine.hasPower }

    /// Begins with a machine that knows no more than one after a restart.
    package mutating func replace(_ machine: any DeviceMachine) {
        (self.machine, latches, isFresh) = (machine, [], true)
    }

    // MARK: Emergency stops

    /// The machine wants an emergency stop kept, or its release; that is done behind the writes.
    package mutating func keepLatch(_ isSet: Bool) { latches.append(isSet) }

    /// Takes the emergency stops to keep, in order.
    package mutating func takeLatches() -> [Bool] {
        guard !latches.isEmpty else { return [] }
        defer { latches = [] }
        return latches
    }
}

extension DeviceMachine {
    /// What must be written if the bridge dies now. It changes nothing: but a getter of a value of unknown type is
    /// called on a copy of it, at every input, and a mutating method on the value itself.
    fileprivate mutating func readWill() -> Will { will }
}
