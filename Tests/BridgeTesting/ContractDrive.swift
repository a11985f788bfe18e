import Bluetooth
import DeviceKit
import JSON

/// Plays a session to one machine: keeps the rules of the inputs, and notes where the machine breaks its own.
struct ContractDrive {
    var complaints: [String] = []

    let family: any DeviceFamily
    let reply: (FakeLink.Operation) -> DeviceFamilyContract.Reply
    var machine: any DeviceMachine
    var random: RandomSource
    var now = Duration.seconds(100)
    var isLinked = false
    var isReady = false
    var wantsDisconnect = false
    var operations: [Effect] = []
    var timers: [TimerName: Duration] = [:]
    var pending: Set<CommandID> = []
    var lastCommand: UInt64 = 0
    /// What is on its way to the disk.
    var latching: Bool?

    init(
        _ family: any DeviceFamily, random: RandomSource,
        reply: @escaping (FakeLink.Operation) -> DeviceFamilyContract.Reply
    ) {
        self.family = family
        self.reply = reply
        self.random = random
        var settings = Arguments()
        for field in family.settings { settings.values[field.name] = field.default }
        machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF", settings: settings))
    }

    /// Gives one random input.
    mutating func step() {
        now += .milliseconds(Int.random(in: 0...400, using: &random))
        if wantsDisconnect { return disconnect() }
        switch Int.random(in: 0..<100, using: &random) {
        case 0 where isLinked: disconnect()
        case 1..<3 where isReady:
            feed(.stop([.allStop, .brokerLost, .reload, .late].randomElement(using: &random) ?? .late))
        case 3 where family.latching != nil: recall()
        case 4..<6 where latching != nil: completeLatch(isPeaceful: Bool.random(using: &random))
        case 3..<5 where isReady: feed(.guardian(Bool.random(using: &random) ? .confirmed : .unconfirmed))
        case 3..<10 where !isLinked: connect()
        case 3..<25: command()
        case 25..<45: notify()
        case 45..<50: timer()
        default: completeOperation(isPeaceful: isReady ? Int.random(in: 0..<8, using: &random) > 0 : true)
        }
    }

    /// Connects, lets the machine get ready, and gives every command once, each with time to come to its end.
    mutating func liveInPeace() {
        connect()
        settle()
        if !isReady { complain("a device that behaves well does not get ready") }
        for feature in family.features where isReady {
            guard let command = feature.command, !command.traits.contains(.confirmed) else { continue }
            give(feature.name, command, DeviceFamilyContract.payload(command.example))
            settle()
            if !pending.isEmpty { complain("\(feature.name) is not answered") }
        }
    }

    /// Completes operations and draws time forward until nothing is left to do, or a minute is over.
    private mutating func settle() {
        let end = now + .seconds(60)
        while now < end, complaints.isEmpty {
            if !operations.isEmpty {
                completeOperation(isPeaceful: true)
            } else if latching != nil {
                completeLatch(isPeaceful: true)
            } else if pending.isEmpty, isReady || !isLinked {
                return
            } else if let next = timers.values.min(), next < end {
                timer()
            } else {
                return
            }
        }
    }

    /// Closes the link at last, after which nothing may be left open.
    mutating func finish() {
        guard complaints.isEmpty else { return }
        if isLinked {
            feed(.close)
            for _ in 0..<50 where isLinked && !wantsDisconnect { completeOperation(isPeaceful: true) }
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
        if let payload = payloads.randomElement(using: &random) { give(feature.name, command, payload) }
    }

    private mutating func give(_ feature: String, _ command: Command, _ payload: [UInt8]) {
        guard let invocation = try? command.parse(payload) else { return }
        lastCommand += 1
        let id = CommandID(lastCommand)
        pending.insert(id)
        feed(.command(id, feature: feature, invocation.arguments))
    }

    private mutating func notify() {
        let all = family.requirements.required + family.requirements.optional
        guard isLinked, let id = all.randomElement(using: &random) else { return }
        feed(.notification(id, random.bytes(atMost: 24)))
    }

    private mutating func recall() {
        guard let feature = family.latching?.report, let report = family.feature(feature)?.report else {
            return
        }
        if Bool.random(using: &random) { feed(.recalled(feature: feature, report.example)) }
        feed(.recalling(Bool.random(using: &random)))
    }

    private mutating func completeLatch(isPeaceful: Bool) {
        guard let isSet = latching else { return }
        latching = nil
        feed(.latchKept(isSet, failure: isPeaceful ? nil : "for the test"))
    }

    private mutating func timer() {
        guard let next = timers.min(by: { ($0.value, $0.key.description) < ($1.value, $1.key.description) })
        else { return }
        now = max(now, next.value)
        timers[next.key] = nil
        feed(.timer(next.key))
    }

    private mutating func completeOperation(isPeaceful: Bool) {
        guard isLinked, !operations.isEmpty else { return }
        let operation = operations.removeFirst()
        let codes: [OperationError.Code] = [.timeout, .failed, .notPermitted, .notSupported]
        let error = OperationError(codes.randomElement(using: &random) ?? .failed, "for the test")
        let done: Result<Void, OperationError> = isPeaceful ? .success(()) : .failure(error)
        let reply: DeviceFamilyContract.Reply
        switch operation {
        case .write(let write):
            reply = self.reply(.write(write.characteristic, write.value, write.kind))
            feed(.writeCompleted(write.token, write.characteristic, done))
        case .read(let id):
            reply = self.reply(.read(id))
            let value = isPeaceful || Bool.random(using: &random) ? reply.value : random.bytes(atMost: 24)
            feed(.readCompleted(id, done.map { value }))
        case .subscribe(let id):
            reply = self.reply(.subscribe(id))
            feed(.subscribed(id, done))
        default: return
        }
        for (id, value) in reply.notifications where isPeaceful && isLinked { feed(.notification(id, value)) }
    }
}
