import DBus
import EventLoop
import Testing

@testable import BlueZSimulator

/// A client of BlueZ that records its communication with `org.bluez` about one device and its adapter: calls, answers
/// and signals, in the order of the bus.
actor BusWitness {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let connection: Connection
    /// The timeout of waits.
    private let patience: Duration
    private var subscriptions: [Subscription] = []
    private var words: BusWords
    private(set) var lines: [String] = []
    /// The number of lines at the last event.
    private var mark = 0
    private var waits: [(isMet: (String) -> Bool, continuation: CheckedContinuation<Bool, Never>)] = []

    /// An awaited line that was not recorded.
    struct Missing: Error, CustomStringConvertible {
        var what: String
        var seen: [String]
        var description: String {
            "waited in vain for '\(what)'; seen:\n  " + seen.joined(separator: "\n  ")
        }
    }

    init(bus: DBus.Address, loop: EventLoop, words: BusWords, patience: Duration) async throws {
        self.loop = loop
        self.words = words
        self.patience = patience
        connection = try await Connection.open(bus, loop: loop)
    }

    func start() async throws {
        subscriptions = [
            try await connection.subscribe(MatchRule(sender: BlueZName.service), for: self) {
                $0.receive($1)
            },
            try await connection.onOwnerChange(of: BlueZName.service) { [weak self] change in
                self?.assumeIsolated {
                    $0.note(change.newOwner == nil ? "org.bluez gone" : "org.bluez there")
                }
            },
        ]
        for object in try await objects() { words.learn(object.path, object.interfaces) }
    }

    func close() async { await connection.close() }

    /// Records an event that the program did not cause: of the device or of the radio.
    func deed(_ text: String) {
        mark = lines.count
        note("* " + text)
    }

    /// Calls a method. The answer is recorded when it arrives.
    func begin(_ member: String, _ role: String, _ arguments: Value...) throws {
        try start(member, role, arguments)
    }

    func call(_ member: String, _ role: String, _ arguments: Value...) async throws {
        try start(member, role, arguments)
        try await wait("< \(role) \(member)")
    }

    /// Sets a property and waits for the answer.
    func set(_ property: String, _ value: Value, of role: String) async throws {
        guard let (path, interface) = words.target(role) else {
            throw Missing(what: "the object of \(role)", seen: lines)
        }
        let call = Message(
            call: "Set", of: "org.freedesktop.DBus.Properties", at: path, on: BlueZName.service,
            [.string(interface), .string(property), .variant(value)])
        try start("Set(\(property))", role, call)
        try await wait("< \(role) Set(\(property))")
    }

    /// Waits for a line with this start, or a line about the same object that contains these properties, since the last
    /// event or call.
    func wait(_ text: String) async throws {
        let words = text.split(separator: " ")
        let isMeant: (String) -> Bool = { line in
            let told = line.split(separator: " ")
            return line.hasPrefix(text) || told.first == words.first && words.allSatisfy { told.contains($0) }
        }
        if lines[mark...].contains(where: isMeant) { return }
        let timer = loop.schedule(after: patience) { [weak self] in self?.assumeIsolated { $0.giveUp() } }
        defer { timer.cancel() }
        let isMet = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            // Lines may have been recorded in the meantime.
            guard !lines[mark...].contains(where: isMeant) else {
                return continuation.resume(returning: true)
            }
            waits.append((isMeant, continuation))
        }
        guard isMet else { throw Missing(what: text, seen: lines) }
    }

    /// Records the existing objects, after the adapter is on and the device is disconnected.
    func look() async throws {
        mark = lines.count
        var objects = try await objects()
        while !isAtRest(objects) {
            // Waits for all signals that precede the answer.
            try await wait("")
            mark = lines.count
            objects = try await self.objects()
        }
        mark = lines.count
        for object in objects {
            words.learn(object.path, object.interfaces)
            guard let role = words.role(of: object.path) else { continue }
            note("= " + words.object(role, object.interfaces))
        }
    }

    private func isAtRest(_ objects: [(path: ObjectPath, interfaces: Value)]) -> Bool {
        func isTrue(_ property: String, _ role: String) -> Bool {
            objects.contains { object in
                words.role(of: object.path) == role
                    && (object.interfaces.entries ?? []).contains {
                        $0.value.properties?[property] == .bool(true)
                    }
            }
        }
        return isTrue("Powered", "adapter") && !isTrue("Connected", "dev")
    }

    /// Registers a pairing agent that accepts every request and records it.
    func serveAgent() async throws {
        func question(_ member: String, _ takes: Signature) -> Method {
            .immediate(member, takes: takes) { [weak self] call in
                self?.assumeIsolated { witness in
                    guard let path = call.arguments.first?.objectPath else { return }
                    // If both sides use the same bluetoothd, the other side sends a request, too.
                    if let role = witness.words.role(of: path) { witness.note("? agent \(member) \(role)") }
                }
                return []
            }
        }
        try await connection.export(
            [
                Interface(
                    BlueZName.agent,
                    methods: [
                        question("RequestAuthorization", "o"), question("RequestConfirmation", "ou"),
                        question("AuthorizeService", "os"), .immediate("Cancel") { _ in [] },
                        .immediate("Release") { _ in [] },
                    ])
            ], at: "/witness")
        try await call("RegisterAgent", "root", .objectPath("/witness"), .string("NoInputNoOutput"))
        try await call("RequestDefaultAgent", "root", .objectPath("/witness"))
    }

    private func objects() async throws -> [(path: ObjectPath, interfaces: Value)] {
        let answer = try await connection.call(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root, on: BlueZName.service)
        return (answer.first?.entries ?? []).compactMap { entry in
            entry.key.objectPath.map { ($0, entry.value) }
        }.sorted { $0.0 < $1.0 }
    }

    private func start(_ member: String, _ role: String, _ arguments: [Value]) throws {
        guard let (path, interface) = words.target(role) else {
            throw Missing(what: "the object of \(role)", seen: lines)
        }
        try start(
            member, role, Message(call: member, of: interface, at: path, on: BlueZName.service, arguments))
    }

    private func start(_ name: String, _ role: String, _ message: Message) throws {
        mark = lines.count
        note("> \(role) \(name)")
        // The connection uses the same loop.
        try connection.start(message, timeout: .seconds(120), for: self) { witness, result in
            witness.answered("\(role) \(name)", Result { try result.get().arguments() })
        }
    }

    private func answered(_ what: String, _ result: Result<[Value], any Error>) {
        switch result {
        case .success(let values):
            note((["< \(what)"] + values.map(BusWords.text)).joined(separator: " "))
        case .failure(let error as DBusError):
            note("< \(what): " + error.name.replacing("org.bluez.Error.", with: "") + " " + error.message)
        case .failure(let error): note("< \(what): \(error)")
        }
    }

    private func receive(_ message: IncomingMessage) {
        guard let message = try? message.message() else { return }
        for line in words.lines(of: message) { note(line) }
    }

    private func note(_ line: String) {
        lines.append(line)
        let met = waits.filter { $0.isMet(line) }
        waits.removeAll { $0.isMet(line) }
        for wait in met { wait.continuation.resume(returning: true) }
    }

    private func giveUp() {
        let all = waits
        waits = []
        for wait in all { wait.continuation.resume(returning: false) }
    }
}
