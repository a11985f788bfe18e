import Bluetooth
import DBus
import VirtualDevices

@testable import BlueZSimulator

/// Runs a daemon on a simulated clock and writes its bus operations as short text.
struct SimulatorHarness {
    static let device: ObjectPath = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
    static let adapter: ObjectPath = "/org/bluez/hci0"
    /// The objects of the characteristics, with the handles of ``AttributeTable``.
    static let value = device.appending("service000c").appending("char000d")
    static let echo = device.appending("service000c").appending("char0010")
    static let secret = device.appending("service000c").appending("char0013")
    static let battery = device.appending("service0016").appending("char0017")

    var daemon: Daemon
    var now: Duration = .seconds(100)
    var answers: [Int: String] = [:]
    /// The signals since the last call of ``look()``.
    var signals: [String] = []
    var others: [Output] = []
    private var lastCall = 0

    init(
        _ device: any VirtualDevice = TestDevice(), isBonded: Bool = false, remembered: [KnownDevice] = [],
        faults: [Scenario.Fault] = [], _ change: (inout LookAlike.Options) -> Void = { _ in }
    ) {
        var options = LookAlike.Options()
        change(&options)
        let settings = Scenario.Device(
            name: "tester", model: .belt(.init()), address: "C0:FF:EE:00:00:01", isBonded: isBonded,
            faults: faults)
        daemon = Daemon(
            options: options, world: World([(settings, device)]), remembered: remembered)
        note(daemon.start(at: now))
        pass(.seconds(1))
        signals = []
    }

    /// Advances the time.
    mutating func pass(_ duration: Duration) {
        now += duration
        note(daemon.advance(to: now))
    }

    /// Calls a method and returns the key of its answer in ``answers``.
    @discardableResult
    mutating func call(
        _ member: String, at path: ObjectPath, _ arguments: Value..., by sender: String = ":1.1"
    ) -> Int {
        lastCall += 1
        note(
            daemon.handle(
                Call(
                    number: lastCall, sender: sender, path: path, interface: Self.interface(of: path, member),
                    member: member, arguments: arguments), at: now))
        return lastCall
    }

    /// Calls a method and returns its answer, if it is immediate.
    mutating func ask(
        _ member: String, at path: ObjectPath, _ arguments: Value..., by sender: String = ":1.1"
    ) -> String? {
        lastCall += 1
        let call = Call(
            number: lastCall, sender: sender, path: path, interface: Self.interface(of: path, member),
            member: member, arguments: arguments)
        note(daemon.handle(call, at: now))
        return answers[lastCall]
    }

    /// Sets a property as a client.
    mutating func set(_ property: String, _ value: Value, at path: ObjectPath) -> String? {
        lastCall += 1
        note(
            daemon.handle(
                Call(
                    number: lastCall, sender: ":1.1", path: path, interface: "Set", member: property,
                    arguments: [value]), at: now))
        return answers[lastCall]
    }

    mutating func line(_ text: String) { note(daemon.perform(line: text, at: now)) }

    mutating func leave(_ client: String) { note(daemon.clientLeft(client, at: now)) }

    mutating func answerAgent(_ question: Int, error: String?) {
        note(daemon.agentAnswered(question, error: error, at: now))
    }

    /// Discovers and connects the device, and discards the signals.
    mutating func connect() {
        discover()
        call("Connect", at: Self.device)
        pass(.seconds(1))
        signals = []
    }

    mutating func discover() {
        call("StartDiscovery", at: Self.adapter)
        pass(.milliseconds(100))
        call("StopDiscovery", at: Self.adapter)
        signals = []
    }

    /// Returns the signals since the previous call.
    mutating func look() -> [String] {
        defer { signals = [] }
        return signals
    }

    private mutating func note(_ outputs: [Output]) {
        for output in outputs {
            switch output {
            case .reply(let number, let values):
                answers[number] = values.map(Self.text).joined(separator: " ")
            case .failure(let number, let error):
                answers[number] = error.name.replacing("org.bluez.Error.", with: "") + ": " + error.message
            case .added(let path, let interfaces):
                signals.append(
                    "\(Self.short(path)) + " + interfaces.map { Self.short($0.name) }.joined(separator: " "))
            case .removed(let path, let names):
                signals.append(
                    "\(Self.short(path)) - " + (names ?? []).map(Self.short).joined(separator: " "))
            case .changed(let path, _, let properties):
                guard properties.first?.name != "MTU" else { continue }
                let words = properties.map { "\($0.name)=\($0.value.map(Self.text) ?? "nil")" }
                signals.append("\(Self.short(path)) " + words.joined(separator: " "))
            default: others.append(output)
            }
        }
    }

    private static func interface(of path: ObjectPath, _ member: String) -> String {
        switch path.name.prefix(4) {
        case "hci0", "hci1": BlueZName.adapter
        case "dev_": BlueZName.device
        case "char": BlueZName.characteristic
        case "desc": BlueZName.descriptor
        default: BlueZName.agentManager
        }
    }

    private static func short(_ path: ObjectPath) -> String {
        path.name.hasPrefix("dev_") ? "dev" : path.name
    }

    private static func short(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? ""
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .bool(let truth): "\(truth)"
        case .byte(let number): "\(number)"
        case .int16(let number): "\(number)"
        case .uint16(let number): "\(number)"
        case .string(let text): text
        case .bytes(let bytes): Hex.string(bytes)
        case .array(let elements, _): "\(elements.count)"
        case .dictionary(let entries, _, _):
            entries.map { "\(text($0.key)):\(text($0.value))" }.joined(separator: ",")
        case .variant(let inner): text(inner)
        default: "\(value)"
        }
    }
}
