import Bluetooth
import DeviceKit
import HostTesting
import JSON

/// Drives a machine through the harness with inputs that a session could give, and records broken rules.
struct ContractDrive {
    var complaints: [String] = []

    let family: any DeviceFamily
    let reply: (LinkOperation) -> DeviceReply
    var session: MachineHarness
    var random: RandomSource
    var pending: Set<UInt64> = []
    /// The number of the machine's effects that were checked.
    var checked = 0

    init(
        _ family: any DeviceFamily, random: RandomSource,
        reply: @escaping (LinkOperation) -> DeviceReply
    ) {
        self.family = family
        self.reply = reply
        self.random = random
        session = MachineHarness(family, latch: .unconfirmed)
    }

    private var isLinked: Bool { session.isLinked }
    private var isReady: Bool { session.isReady }
    /// Whether commands wait for the next visit.
    private var isVisited: Bool { family.visiting([:]) != nil }

    mutating func step() {
        session.sleep(until: session.now + .milliseconds(Int.random(in: 0...400, using: &random)))
        if session.mayClose { return disconnect() }
        switch Int.random(in: 0..<100, using: &random) {
        case 0 where isLinked: disconnect()
        case 1..<3 where isReady:
            feed(.stop([.allStop, .brokerLost, .reload, .late].randomElement(using: &random) ?? .late))
        case 3 where family.latching != nil: recall()
        case 4..<6 where !session.latchings.isEmpty:
            completeLatch(isPeaceful: Bool.random(using: &random))
        case 3..<5 where isReady:
            feed(.guardian(Bool.random(using: &random) ? .confirmed : .unconfirmed))
        case 3..<10 where !isLinked: connect()
        case 3..<25: command()
        case 25..<45: notify()
        case 45..<50: timer()
        default:
            // Operations on different characteristics may complete in any order.
            let index = Int.random(in: 0..<max(session.underWay.count, 1), using: &random)
            complete(index, isPeaceful: isReady ? Int.random(in: 0..<8, using: &random) > 0 : true)
        }
    }

    /// Connects, waits until the machine is ready, and sends every command once, each with time to complete.
    mutating func liveInPeace() {
        connect()
        settle()
        if !isReady { complain("a device that behaves well does not get ready") }
        for feature in family.features where isReady {
            guard let command = feature.command, !command.traits.contains(.confirmed) else { continue }
            give(feature.name, command, DeviceFamilyContract.payload(command.example))
            settle()
            if isVisited, !pending.isEmpty {
                disconnect()
                connect()
                settle()
            }
            if !pending.isEmpty { complain("\(feature.name) is not answered") }
        }
    }

    /// Completes operations and advances the time until nothing is left to do, for at most a minute.
    private mutating func settle() {
        let end = session.now + .seconds(60)
        while session.now < end, complaints.isEmpty {
            if !session.underWay.isEmpty {
                complete(0, isPeaceful: true)
            } else if !session.latchings.isEmpty {
                completeLatch(isPeaceful: true)
            } else if pending.isEmpty, isReady || !isLinked {
                return
            } else if let next = session.nextTimer, next < end {
                timer()
            } else {
                return
            }
        }
    }

    /// Disconnects at the end. No command may be open after that.
    mutating func finish() {
        guard complaints.isEmpty else { return }
        if isLinked {
            feed(.close)
            for _ in 0..<50 where isLinked && !session.mayClose { complete(0, isPeaceful: true) }
            disconnect()
        }
        checkWill()
    }

    // MARK: Inputs

    mutating func feed(_ input: Input) {
        session.feed(input)
        check()
    }

    private mutating func connect() {
        var table: [CharacteristicID: CharacteristicProperties] = [:]
        let requirements = family.requirements
        let isReplaced = !requirements.substitutes.isEmpty && Bool.random(using: &random)
        for id in isReplaced ? requirements.substitutes : requirements.required {
            table[id] = [.read, .write, .writeWithoutResponse, .notify]
        }
        for id in family.requirements.optional where Bool.random(using: &random) {
            table[id] = [.read, .write, .notify]
        }
        feed(.connected(LinkProfile(characteristics: table, mtu: 247, name: family.displayName)))
    }

    private mutating func disconnect() {
        guard isLinked else { return }
        feed(.disconnected)
        guard !isVisited else { return }
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
        guard (try? command.parse(payload)) != nil else { return }
        pending.insert(session.lastCommand + 1)
        session.command(feature, payload)
        check()
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
        session.keepLatch(failure: isPeaceful ? nil : "for the test")
        check()
    }

    private mutating func timer() {
        guard let next = session.nextTimer else { return }
        session.advance(to: next)
        check()
    }

    private mutating func complete(_ index: Int, isPeaceful: Bool) {
        guard session.underWay.indices.contains(index) else { return }
        let started = session.underWay[index]
        let codes: [OperationError.Code] = [.timeout, .failed, .notPermitted, .notSupported]
        let error = OperationError(codes.randomElement(using: &random) ?? .failed, "for the test")
        let reply = self.reply(started.operation)
        var value = reply.value
        if case .read = started.operation, !isPeaceful, Bool.random(using: &random) {
            value = random.bytes(atMost: 24)
        }
        session.finish(started.number, isPeaceful ? .success(value) : .failure(error))
        check()
        for (id, value) in reply.notifications where isPeaceful && isLinked {
            feed(.notification(id, value))
        }
    }
}
