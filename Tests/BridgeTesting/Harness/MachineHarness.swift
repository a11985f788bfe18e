package import Bluetooth
package import DeviceKit
package import JSON

/// Plays a session to the state machine of one device, in the order of the bridge.
///
/// An input is handled to its end before the next one: an input that an effect gives rise to (a write that a stop
/// dropped) follows when the effects are carried out. Then the operations start that the bridge's own queue lets start,
/// several at a time where it does. The owner of the harness ends each with ``finish(_:_:)``, lets time pass with
/// ``advance(to:)``, and closes the link when the machine ``mayClose``.
///
/// What a session decides before an input reaches the machine (the motion gate, which stop another one absorbs, what a
/// family requires of the link) is no part of it.
package struct MachineHarness: Sendable {
    /// An operation that was started and has not ended.
    package struct Started: Hashable, Sendable {
        package var number: Int
        package var operation: LinkOperation
        package var time: Duration
    }

    /// An effect, and the state of the link when it was wanted.
    package struct Wish: Sendable {
        package var time: Duration
        package var effect: Effect
        package var isLinked: Bool
    }

    /// A change of the emergency stop on its way to the disk.
    package struct Latching: Hashable, Sendable {
        package var isSet: Bool
        package var start: Duration
    }

    private enum Event {
        case input(Input)
        case stage(LinkStage)
    }

    /// How long the bridge lets a machine take for its goodbye.
    package static let closingTime = Duration.milliseconds(1500)

    package let family: any DeviceFamily
    package private(set) var machine: any DeviceMachine
    package private(set) var now: Duration
    package private(set) var isLinked = false
    package private(set) var isReady = false
    package private(set) var wantsDisconnect = false
    package private(set) var isClosing = false
    private var isTimeUp = false
    /// The operations under way, in the order of their start.
    package private(set) var underWay: [Started] = []
    /// What is on its way to the disk, the first first.
    package private(set) var latchings: [Latching] = []
    /// Whether nothing blocks motion, so that a machine that waits for clearance gets it.
    package var isClear = true

    // MARK: What the machine wanted so far

    package private(set) var wishes: [Wish] = []
    /// The newest value of every report.
    package private(set) var reports: [String: JSON.Value] = [:]
    /// All answers of each command, by its number.
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

    /// Makes a machine with the settings that a family has by default, but for those given.
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

    /// Whether the link is to be closed: the machine wants that or its time is up, and at the end of a session the last
    /// writes are out.
    package var mayClose: Bool {
        isLinked && (isTimeUp || wantsDisconnect && !(isClosing && queue.hasWrites))
    }

    /// When a timer runs out next.
    package var nextTimer: Duration? { timers.next }

    // MARK: Inputs

    /// Tells the machine something. The beginning and the end of a link are those of the session too; what was asked of
    /// an earlier link is gone.
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

    /// Tells the machine where the search for its device stands.
    package mutating func tell(_ stage: LinkStage) { handle(.stage(stage)) }

    /// Gives a command as it arrives by MQTT.
    ///
    /// - Returns: Its number; that of one that cannot be read is answered with the error.
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

    /// Gives a command whose arguments are checked.
    @discardableResult
    package mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        lastCommand += 1
        feed(.command(CommandID(lastCommand, arrival: now), feature: feature, arguments))
        return lastCommand
    }

    /// Ends an operation that is under way.
    ///
    /// - Parameter result: The value of a read; nothing of another operation.
    package mutating func finish(_ number: Int, _ result: Result<[UInt8], OperationError>) {
        guard let index = underWay.firstIndex(where: { $0.number == number }) else { return }
        let operation = underWay.remove(at: index).operation
        queue.finished(operation)
        complete(operation, result)
        if case .unsubscribe = operation { startOperations() }
    }

    /// The disk is done with the oldest change of the emergency stop.
    package mutating func keepLatch(failure: String? = nil) {
        guard !latchings.isEmpty else { return }
        feed(.latchKept(latchings.removeFirst().isSet, failure: failure))
    }

    /// Lets time pass, without the machine: a timer that runs out meanwhile is late.
    package mutating func sleep(until time: Duration) { now = max(now, time) }

    /// Lets time pass until the next timer has run out, or this moment has come.
    package mutating func advance(to time: Duration) {
        now = max(now, time)
        ProductionTimers.fire(at: now, of: &self, in: \.timers) { harness, key in
            switch key {
            case .machine(let name): harness.feed(.timer(name))
            case .closing: harness.isTimeUp = true
            }
        }
    }

    // MARK: The order of the bridge

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
        case .publish, .withdraw, .identify, .lack, .answer, .remember, .count, .remark: break
        }
    }

    /// Adds an operation to the queue; without a link it is dropped, and not completed.
    private mutating func add(_ effect: Effect) {
        guard isLinked, let operation = LinkOperation(effect) else { return }
        for dropped in queue.add(operation) {
            complete(
                dropped, .failure(OperationError(.failed, "dropped: a stop came first, or too much waited")))
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

    /// Takes what the machine wanted since the last call.
    package mutating func takeWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }
}
