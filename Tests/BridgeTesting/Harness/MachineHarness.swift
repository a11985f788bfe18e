package import Bluetooth
package import DeviceKit
package import JSON

/// Simulates a session for the state machine of one device, in the order of the bridge.
///
/// An input is handled completely before the next input. An effect may cause another input, for example a write that
/// a stop dropped; this input follows after all effects. Then the bridge's own queue decides which operations start,
/// possibly several at a time. The owner of the harness completes each operation with ``finish(_:_:)``, advances the
/// time with ``advance(to:)``, and disconnects when the machine ``mayClose``.
///
/// The harness does not include what a session decides before an input reaches the machine: the motion gate, absorbed
/// stops, and the family's requirements of the link.
package struct MachineHarness: Sendable {
    /// An operation in progress.
    package struct Started: Hashable, Sendable {
        package var number: Int
        package var operation: LinkOperation
        package var time: Duration
    }

    /// An effect, and the state of the connection at that time.
    package struct Wish: Sendable {
        package var time: Duration
        package var effect: Effect
        package var isLinked: Bool
    }

    /// A change of the emergency stop that the disk has not confirmed.
    package struct Latching: Hashable, Sendable {
        package var isSet: Bool
        package var start: Duration
    }

    private enum Event {
        case input(Input)
        case stage(LinkStage)
    }

    /// How long the bridge waits for the last writes of a machine.
    package static let closingTime = Duration.milliseconds(1500)

    package let family: any DeviceFamily
    package private(set) var machine: any DeviceMachine
    package private(set) var now: Duration
    package private(set) var isLinked = false
    package private(set) var isReady = false
    package private(set) var wantsDisconnect = false
    package private(set) var isClosing = false
    private var isTimeUp = false
    /// The operations in progress, in the order of their start.
    package private(set) var underWay: [Started] = []
    /// The changes that the disk has not confirmed, oldest first.
    package private(set) var latchings: [Latching] = []
    /// Whether motion is not blocked, so that a machine that waits for clearance gets it.
    package var isClear = true

    // MARK: Effects so far

    package private(set) var wishes: [Wish] = []
    /// The newest value of every report.
    package private(set) var reports: [String: JSON.Value] = [:]
    /// All answers to each command, by its number.
    package private(set) var answers: [UInt64: [Answer]] = [:]
    package private(set) var failures: [DeviceFailure] = []
    package private(set) var info = DeviceInfo()
    package private(set) var lastCommand: UInt64 = 0

    private var queue = ProductionQueue()
    private var timers = ProductionTimers()
    private var inbox: [Event] = []
    private var isHandling = false
    private var awaitsClearance = false
    private var unkept: [Bool] = []
    private var started = 0

    package init(_ family: any DeviceFamily, machine: any DeviceMachine, now: Duration = .seconds(100)) {
        self.family = family
        self.machine = machine
        self.now = now
    }

    /// Creates a machine with the default settings of its family, except for the given settings.
    package init(
        _ family: any DeviceFamily, settings: Arguments = [:], latch: Latch = .clear,
        now: Duration = .seconds(100)
    ) {
        var all = Arguments()
        for field in family.settings { all.values[field.name] = field.default }
        for name in settings.values.keys { all.values[name] = settings.values[name] }
        let context = DeviceContext(address: "AA:BB:CC:DD:EE:FF", settings: all, latch: latch)
        self.init(family, machine: family.makeMachine(context), now: now)
    }

    /// Whether the connection may be closed: the machine requests it or its time is up. At the end of a session, the
    /// last writes must also be sent.
    package var mayClose: Bool {
        isLinked && (isTimeUp || wantsDisconnect && !(isClosing && queue.hasWrites))
    }

    /// The time of the next timer; nil if none runs.
    package var nextTimer: Duration? { timers.next }

    // MARK: Inputs

    /// Passes an input to the machine. The start and the end of a connection also apply to the session: operations of
    /// an earlier connection are dropped.
    package mutating func feed(_ input: Input) {
        switch input {
        case .connected: resetLink(isLinked: true)
        case .disconnected: resetLink(isLinked: false)
        default: break
        }
        handle(.input(input))
    }

    private mutating func resetLink(isLinked: Bool) {
        self.isLinked = isLinked
        (isReady, wantsDisconnect, isClosing, isTimeUp) = (false, false, false, false)
        timers.cancel(.closing)
        queue = ProductionQueue()
        underWay = []
    }

    /// Passes the stage of the connection to the machine.
    package mutating func tell(_ stage: LinkStage) { handle(.stage(stage)) }

    /// Passes a command as it arrives over MQTT.
    ///
    /// - Returns: The number of the command. An invalid command is answered with its error.
    @discardableResult
    package mutating func command(_ feature: String, _ payload: [UInt8], age: Duration = .zero) -> UInt64 {
        lastCommand += 1
        let id = CommandID(lastCommand, arrival: now - age)
        guard let command = family.feature(feature)?.command else {
            note(.answer(id, .failed(.notSupported, "no command \(feature)")))
            return id.number
        }
        if command.traits.contains(.stop) { awaitsClearance = false }
        do throws(CommandError) {
            feed(.command(id, feature: feature, try command.parse(payload).arguments))
        } catch {
            note(.answer(id, .failed(error)))
        }
        return id.number
    }

    /// Passes a command with checked arguments.
    @discardableResult
    package mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        lastCommand += 1
        feed(.command(CommandID(lastCommand, arrival: now), feature: feature, arguments))
        return lastCommand
    }

    /// Completes an operation in progress.
    ///
    /// - Parameter result: The value of a read; empty for other operations.
    package mutating func finish(_ number: Int, _ result: Result<[UInt8], OperationError>) {
        guard let index = underWay.firstIndex(where: { $0.number == number }) else { return }
        let operation = underWay.remove(at: index).operation
        queue.finished(operation)
        complete(operation, result)
        if case .unsubscribe = operation { startOperations() }
    }

    /// Completes the oldest change of the emergency stop on the disk.
    package mutating func keepLatch(failure: String? = nil) {
        guard !latchings.isEmpty else { return }
        feed(.latchKept(latchings.removeFirst().isSet, failure: failure))
    }

    /// Advances the time without the machine. A timer that expires during this time fires late.
    package mutating func sleep(until time: Duration) { now = max(now, time) }

    /// Advances the time and fires the timers that have expired.
    package mutating func advance(to time: Duration) {
        now = max(now, time)
        ProductionTimers.fire(at: now, of: &self, in: \.timers) { harness, key in
            switch key {
            case .machine(let name): harness.feed(.timer(name))
            case .closing: harness.isTimeUp = true
            }
        }
    }

    // MARK: Order of the bridge

    private mutating func handle(_ event: Event) {
        guard !isHandling else { return inbox.append(event) }
        isHandling = true
        carryOut(event)
        while true {
            if !inbox.isEmpty {
                carryOut(inbox.removeFirst())
            } else if awaitsClearance, isReady, isClear {
                awaitsClearance = false
                carryOut(.input(.cleared))
            } else {
                break
            }
        }
        startOperations()
        latchings += unkept.map { Latching(isSet: $0, start: now) }
        unkept = []
        isHandling = false
    }

    private mutating func carryOut(_ event: Event) {
        var effects = Effects()
        switch event {
        case .input(let input):
            switch input {
            case .disconnected, .stop: awaitsClearance = false
            case .close:
                isClosing = true
                timers.start(.closing, at: now + Self.closingTime)
            default: break
            }
            machine.handle(input, at: now, effects: &effects)
        case .stage(let stage): machine.stageChanged(to: stage, at: now, effects: &effects)
        }
        for effect in effects.list { perform(effect) }
    }

    private mutating func perform(_ effect: Effect) {
        note(effect)
        switch effect {
        case .write, .read, .subscribe, .unsubscribe: add(effect)
        case .startTimer(let name, let delay): timers.start(.machine(name), at: now + delay)
        case .cancelTimer(let name): timers.cancel(.machine(name))
        case .ready: if isLinked, !wantsDisconnect { isReady = true }
        case .fail, .disconnect: wantsDisconnect = wantsDisconnect || isLinked
        case .awaitClearance: awaitsClearance = true
        case .latch(let isSet): unkept.append(isSet)
        case .publish, .withdraw, .identify, .lack, .answer, .remember, .count, .command, .relay, .remark:
            break
        }
    }

    /// Adds an operation to the queue. Without a connection it is dropped and not completed.
    private mutating func add(_ effect: Effect) {
        guard isLinked, let operation = LinkOperation(effect) else { return }
        for dropped in queue.add(operation) {
            complete(
                dropped,
                .failure(OperationError(.failed, "dropped: a stop came first, or the queue was full")))
        }
    }

    private mutating func startOperations() {
        guard isLinked else { return }
        for operation in queue.start() {
            started += 1
            underWay.append(Started(number: started, operation: operation, time: now))
        }
    }

    private mutating func complete(
        _ operation: LinkOperation, _ result: Result<[UInt8], OperationError>
    ) {
        switch operation {
        case .write(let write):
            feed(.writeCompleted(write.token, write.characteristic, result.map { _ in }))
        case .read(let id): feed(.readCompleted(id, result))
        case .subscribe(let id): feed(.subscribed(id, result.map { _ in }))
        case .unsubscribe: break
        }
    }

    private mutating func note(_ effect: Effect) {
        wishes.append(Wish(time: now, effect: effect, isLinked: isLinked))
        switch effect {
        case .publish(let feature, let value): reports[feature] = value
        case .withdraw(let feature): reports[feature] = nil
        case .answer(let id, let answer): answers[id.number, default: []].append(answer)
        case .fail(let failure): failures.append(failure)
        case .identify(let info): self.info = info
        default: break
        }
    }

    /// Returns and removes the effects since the last call.
    package mutating func takeWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }
}
