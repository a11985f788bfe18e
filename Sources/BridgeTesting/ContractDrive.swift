import Bluetooth
import DeviceKit
import JSON

/// Plays a session to one machine: keeps the rules of the inputs, and notes where the machine breaks its own.
struct ContractDrive {
    private(set) var complaints: [String] = []

    private let family: any DeviceFamily
    private var machine: any DeviceMachine
    private var random: RandomSource
    private var now = Duration.seconds(100)
    private var isLinked = false
    private var isReady = false
    private var wantsDisconnect = false
    private var operations: [Effect] = []
    private var timers: [TimerName: Duration] = [:]
    private var pending: Set<CommandID> = []
    private var lastCommand: UInt64 = 0

    init(_ family: any DeviceFamily, seed: UInt64) {
        self.family = family
        random = RandomSource(seed: seed)
        var settings = Arguments()
        for field in family.settings { settings.values[field.name] = field.default }
        machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF", settings: settings))
    }

    /// Gives one random input.
    mutating func step() {
        now += .milliseconds(Int.random(in: 0...400, using: &random))
        if wantsDisconnect { return disconnect() }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<2: isLinked ? disconnect() : connect()
        case 2..<3:
            feed(.stop([.allStop, .brokerLost, .reload, .late].randomElement(using: &random) ?? .late))
        case 3..<10 where !isLinked: connect()
        case 3..<25: command()
        case 25..<45: notify()
        case 45..<60: timer()
        default: completeOperation()
        }
    }

    /// Closes the link at last, after which nothing may be left open.
    mutating func finish() {
        guard complaints.isEmpty else { return }
        if isLinked {
            feed(.close)
            for _ in 0..<50 where isLinked && !wantsDisconnect { completeOperation() }
            disconnect()
        }
        checkWill()
    }

    // MARK: Inputs

    private mutating func connect() {
        isLinked = true
        var table: [CharacteristicID: CharacteristicProperties] = [:]
        for id in family.requirements.required {
            table[id] = [.read, .write, .writeWithoutResponse, .notify]
        }
        for id in family.requirements.optional where Bool.random(using: &random) {
            table[id] = [.read, .write, .notify]
        }
        feed(.connected(LinkProfile(characteristics: table, mtu: 247, name: family.displayName)))
    }

    private mutating func disconnect() {
        guard isLinked else { return }
        (isLinked, isReady, wantsDisconnect) = (false, false, false)
        operations = []
        feed(.disconnected)
        if !pending.isEmpty { complain("\(pending.count) commands are left open when the link is gone") }
        pending = []
    }

    private mutating func command() {
        let commands = family.features.filter { $0.command != nil }
        guard let feature = commands.randomElement(using: &random), let command = feature.command,
            isReady || command.traits.contains(.kept)
        else { return }
        var payloads = [DeviceFamilyContract.payload(command.example)]
        if command.empty != nil { payloads.append([]) }
        for case .word(let word, _) in command.shorthands { payloads.append(Array(word.utf8)) }
        guard let payload = payloads.randomElement(using: &random),
            let invocation = try? command.parse(payload)
        else { return }
        lastCommand += 1
        let id = CommandID(lastCommand)
        pending.insert(id)
        feed(.command(id, feature: feature.name, invocation.arguments))
    }

    private mutating func notify() {
        let all = family.requirements.required + family.requirements.optional
        guard isLinked, let id = all.randomElement(using: &random) else { return }
        feed(.notification(id, random.bytes(atMost: 24)))
    }

    private mutating func timer() {
        guard let next = timers.min(by: { ($0.value, $0.key.description) < ($1.value, $1.key.description) })
        else { return }
        now = max(now, next.value)
        timers[next.key] = nil
        feed(.timer(next.key))
    }

    private mutating func completeOperation() {
        guard isLinked, !operations.isEmpty else { return }
        let error = OperationError(
            [.timeout, .failed, .notPermitted, .notSupported].randomElement(using: &random) ?? .failed,
            "for the test")
        let fails = Int.random(in: 0..<12, using: &random) == 0
        let done: Result<Void, OperationError> = fails ? .failure(error) : .success(())
        switch operations.removeFirst() {
        case .write(let write): feed(.writeCompleted(write.token, write.characteristic, done))
        case .read(let id): feed(.readCompleted(id, done.map { random.bytes(atMost: 24) }))
        case .subscribe(let id): feed(.subscribed(id, done))
        default: break
        }
    }

    // MARK: Effects

    private mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) { take(effect) }
        checkWill()
    }

    private mutating func take(_ effect: Effect) {
        switch effect {
        case .write(let write):
            checkOperation(write.characteristic)
            operations.append(effect)
        case .read(let id), .subscribe(let id), .unsubscribe(let id):
            checkOperation(id)
            operations.append(effect)
        case .publish(let name, let value): checkReport(name, value)
        case .withdraw(let name):
            if family.feature(name)?.report?.kind != .state {
                complain("withdraws \(name), which is no state")
            }
        case .answer(let id, _):
            if pending.remove(id) == nil { complain("answers command \(id.number) twice") }
        case .startTimer(let name, let delay):
            if delay < .zero { complain("starts \(name) in the past") }
            timers[name] = now + delay
        case .cancelTimer(let name): timers[name] = nil
        case .ready:
            if !isLinked { complain("is ready without a link") }
            isReady = true
        case .fail, .disconnect: wantsDisconnect = isLinked
        case .identify, .remember, .remark: break
        }
    }

    private mutating func checkOperation(_ id: CharacteristicID) {
        if !isLinked { complain("uses \(id) without a link") }
        checkKnown(id)
    }

    private mutating func checkKnown(_ id: CharacteristicID) {
        let requirements = family.requirements
        if !requirements.required.contains(id), !requirements.optional.contains(id) {
            complain("uses \(id), which it did not ask for")
        }
    }

    private mutating func checkReport(_ name: String, _ value: JSON.Value) {
        guard let report = family.feature(name)?.report else {
            return complain("publishes \(name), which it does not declare")
        }
        do throws(CommandError) {
            switch report.payload {
            case .plain(let type, _): _ = try type.check(value, path: name)
            case .object(let fields): _ = try fields.check(value.object ?? [:], path: name)
            }
        } catch {
            complain("publishes \(value) against its declaration: \(error)")
        }
    }

    private mutating func checkWill() {
        for write in machine.will.writes {
            checkKnown(write.characteristic)
            if write.value.isEmpty || write.value.count > 244 { complain("its will does not fit a packet") }
        }
    }

    private mutating func complain(_ words: String) { complaints.append("at \(now): \(words)") }
}
