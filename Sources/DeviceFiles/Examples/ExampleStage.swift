import Bluetooth
import DeviceKit
import JSON

/// A simulated device for the examples of a device file. It has its own clock, and accepts every read, write and
/// subscription.
struct ExampleStage {
    private(set) var machine: FileMachine
    /// The reason why the device cannot be used; nil if it can be used.
    private(set) var failure: String?

    let plan: FilePlan
    private let features: [Feature]
    private var now = Duration.zero
    private var timers: [TimerName: (due: Duration, order: Int)] = [:]
    private var order = 0
    /// The value of each characteristic that a read returns.
    private var values: [Int: [UInt8]] = [:]
    /// The bytes that were last written to each characteristic.
    private var written: [Int: [UInt8]] = [:]
    private var states: [String: JSON.Value] = [:]
    private var isReady = false
    /// When the last visit reached the device.
    private var visitedAt: Duration?
    /// The inputs that wait to be passed to the state machine.
    private var inputs: [Input] = []
    private var lastCommand: UInt64 = 0

    /// The messages that the current step has published.
    private(set) var publications: [ExampleEntry.Publication] = []
    private(set) var writings: [ExampleEntry.Writing] = []
    private(set) var errors: [CommandError] = []
    /// The features that the device lacks; nil if the state machine has not reported any.
    private(set) var lacking: Lacking?
    /// The values in the answers of the device, including answers that refuse a command.
    private(set) var answers: [JSON.Object] = []
    /// The time of the device's last advertisement.
    private var advertisedAt: Duration?
    /// The index of the characteristic whose read the next step of the example answers; nil if the next step answers no
    /// read.
    private var awaitedRead: Int?

    /// The device's calendar time when it connects, in milliseconds since 1970: 2026-01-01T00:00:00Z.
    static let start: Int64 = 1_767_225_600_000
    /// The ATT MTU of the connection, in bytes.
    private static let mtu = 517

    init(_ plan: FilePlan, _ coverage: Coverage, _ device: ExampleEntry.Device = .init()) {
        self.plan = plan
        features = plan.file.declaredFeatures
        var settings = JSON.Object(plan.file.settings.map { ($0.field.name, $0.field.sample) })
        for member in device.settings.members { settings[member.key] = member.value }
        machine = FileMachine(plan, DeviceContext(address: device.address, settings: Arguments(settings)))
        values = device.reads
        machine.coverage = coverage
    }

    // MARK: Running steps

    /// Runs the setup of the file. The simulated device sends every answer for which the setup waits.
    mutating func setUp() {
        // A device that is visited is connected by a step of the example.
        guard plan.file.visit == nil else { return }
        connect()
        if !isReady, failure == nil, plan.file.connecting != .never { failure = "the setup does not finish" }
        clear()
    }

    private mutating func connect() {
        let all: CharacteristicProperties = [.read, .write, .writeWithoutResponse, .notify]
        failure = nil
        let characteristics = Dictionary(plan.file.characteristics.map { ($0.id, all) }) { first, _ in first }
        let profile = LinkProfile(
            characteristics: characteristics, mtu: Self.mtu, isPaired: true, unixMilliseconds: Self.start)
        feed(.connected(profile), meets: { _ in true })
    }

    /// Simulates an advertisement. If the device was given up, or was silent for so long that it is offline, its state
    /// machine first receives a disconnect and a new connection.
    private mutating func advertise(_ index: Int, _ bytes: [UInt8]) {
        if machine.phase == .closing || machine.phase == .online && !isAvailable {
            feed(.disconnected, meets: { _ in true })
            connect()
        }
        advertisedAt = now
        let broadcast =
            switch plan.file.characteristics[index].advertised?.kind {
            case .service(let service): Broadcast(serviceData: [service: bytes])
            case .manufacturer(let company): Broadcast(manufacturerData: [company: bytes])
            case nil: Broadcast()
            }
        feed(.advertised(broadcast), meets: { _ in true })
    }

    var isAvailable: Bool {
        if let visit = plan.file.visit {
            let availability = visit.schedule(machine.settings).availability
            return visitedAt.map { now - $0 < availability } ?? false
        }
        let isSilent =
            plan.file.connecting == .never
            && plan.file.silence.map { now - (advertisedAt ?? .zero) >= $0 } ?? false
        return machine.phase == .online && !isSilent
    }

    /// Runs one step. If the step waits for an answer of the device, the simulated device sends it, unless the next
    /// step is a notification of the awaited characteristic or advances the time.
    mutating func play(_ step: ExampleEntry.Step, before next: ExampleEntry.Action?) {
        clear()
        awaitedRead = nil
        if case .read(let index, _) = next { awaitedRead = index }
        let meets: (Int) -> Bool = { characteristic in
            switch next {
            case .notify(characteristic, _), .advance: false
            default: true
            }
        }
        switch step.action {
        case .notify(let index, let bytes):
            values[index] = bytes
            feed(.notification(plan.file.characteristics[index].id, bytes), meets: meets)
        case .read(let index, let bytes):
            values[index] = bytes
            if !machine.reads.contains(where: { $0.characteristic == index }) {
                machine.reads.append((index, .repetition))
            }
            feed(.readCompleted(plan.file.characteristics[index].id, .success(bytes)), meets: meets)
        case .advertise(let index, let bytes): advertise(index, bytes)
        case .visit(let reads):
            values.merge(reads) { $1 }
            connect()
        case .command(let name, let payload):
            command(name, payload, meets)
            if plan.file.visit != nil, machine.phase == .offline { connect() }
        case .stop: feed(.stop(.allStop), meets: meets)
        case .advance(let time): advance(to: now + time, meets)
        case .disconnect: feed(.disconnected, meets: meets)
        }
    }

    private mutating func command(_ name: String, _ payload: [UInt8], _ meets: (Int) -> Bool) {
        guard let command = features.first(where: { $0.name == name })?.command else { return }
        do throws(CommandError) {
            let arguments = try command.parse(payload).arguments
            lastCommand += 1
            feed(.command(CommandID(lastCommand, arrival: now), feature: name, arguments), meets: meets)
        } catch {
            errors.append(error)
        }
    }

    private mutating func advance(to end: Duration, _ meets: (Int) -> Bool) {
        while let next = timers.min(by: { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }),
            next.value.due <= end
        {
            timers[next.key] = nil
            now = max(now, next.value.due)
            feed(.timer(next.key), meets: meets)
        }
        now = max(now, end)
    }

    /// Passes an input to the state machine, carries out its effects, and advances the clock through the pauses between
    /// writes.
    private mutating func feed(_ input: Input, meets: (Int) -> Bool) {
        handle(input)
        while true {
            let waiting = machine.executions.values.filter { execution in
                execution.stage == .waiting
                    && execution.waiter.map { meets($0.entry.characteristic) } ?? false
            }
            if let owner = waiting.map(\.owner).min(by: { FileMachine.number($0) < FileMachine.number($1) }) {
                var effects = Effects()
                machine.meet(owner, &effects)
                carryOut(effects.list)
                drain()
                continue
            }
            let pauses = machine.executions.values.filter { $0.stage == .pausing }
                .compactMap { timers[TimerName("pause.\(FileMachine.number($0.owner))")]?.due }
            guard let due = pauses.min() else { return }
            advance(to: due, meets)
        }
    }

    /// Adds an input to the queue, and passes all queued inputs to the state machine, one after another. Inputs that
    /// follow from an effect go to the end of the queue.
    private mutating func handle(_ input: Input) {
        inputs.append(input)
        drain()
    }

    private mutating func drain() {
        while !inputs.isEmpty {
            var effects = Effects()
            machine.handle(inputs.removeFirst(), at: now, effects: &effects)
            carryOut(effects.list)
        }
    }

    /// Carries out the effects of the state machine. Every operation succeeds.
    private mutating func carryOut(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .write(let write): take(write)
            case .read(let id): answer(read: id)
            case .subscribe(let id): inputs.append(.subscribed(id, .success(())))
            case .publish(let feature, let value): publish(feature, value)
            case .answer(_, .failed(let error)):
                errors.append(error)
                answers.append(error.refused)
            case .answer(_, .ok(let members)): answers.append(members["values"]?.object ?? [:])
            case .startTimer(let name, let delay):
                order += 1
                timers[name] = (now + delay, order)
            case .cancelTimer(let name): timers[name] = nil
            case .lack(let found): lacking = found
            case .ready:
                isReady = true
                visitedAt = now
            case .disconnect where plan.file.visit != nil: inputs.append(.disconnected)
            case .fail(let reason): failure = reason.reason
            default: break
            }
        }
    }

    private mutating func take(_ write: Write) {
        guard let index = plan.indexes[write.characteristic] else { return }
        written[index] = write.value
        writings.append(.init(index, write.value))
        inputs.append(.writeCompleted(write.token, write.characteristic, .success(())))
    }

    private mutating func answer(read id: CharacteristicID) {
        guard let index = plan.indexes[id],
            let purpose = machine.reads.last(where: { $0.characteristic == index })?.purpose
        else { return }
        switch purpose {
        case .readBack: inputs.append(.readCompleted(id, .success(written[index] ?? [])))
        case .setup: inputs.append(.readCompleted(id, .success(values[index] ?? [])))
        // If the next step of the example defines the value, that step completes the read.
        case .step where awaitedRead == index: break
        case .step, .repetition:
            if let value = values[index] { inputs.append(.readCompleted(id, .success(value))) }
        }
    }

    private mutating func publish(_ feature: String, _ value: JSON.Value) {
        // An unchanged state is not published again.
        if features.first(where: { $0.name == feature })?.report?.kind == .state {
            guard states[feature] != value else { return }
            states[feature] = value
        }
        publications.append(.init(feature, value))
    }

    private mutating func clear() { (publications, writings, errors, answers) = ([], [], [], []) }
}
