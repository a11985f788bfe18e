import Bluetooth
import DeviceFiles
import DeviceKit
import JSON

/// A machine of a file, with its effects as text.
struct MachineBench {
    let family: FileFamily
    private(set) var machine: any DeviceMachine
    private(set) var now = Duration.zero
    private var tokens: [WriteToken] = []
    /// The text of the last remark.
    private(set) var lastRemark: String?
    /// Whether the text includes timers.
    var showsTimers = false
    private var lastCommand: UInt64 = 0

    init(_ text: String, settings: Arguments = [:]) throws {
        family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
        machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF", settings: settings))
    }

    /// A machine that is online, of a file with the setup `{ subscribe: out }`.
    static func online(_ text: String, settings: Arguments = [:]) throws -> MachineBench {
        var bench = try MachineBench(text, settings: settings)
        _ = bench.connect()
        _ = bench.subscribed("out")
        return bench
    }

    func id(_ name: String) -> CharacteristicID {
        family.file.characteristics.first { $0.name == name }?.id ?? CharacteristicID(service: 0, uuid: 0)
    }

    private func name(_ id: CharacteristicID) -> String {
        family.file.characteristics.first { $0.id == id }?.name ?? "?"
    }

    /// Connects. The characteristics have these properties; characteristics in `missing` are absent.
    mutating func connect(
        without missing: Set<String> = [], properties: CharacteristicProperties = [.read, .write, .notify],
        mtu: Int = 23, isPaired: Bool = false
    ) -> [String] {
        let there = family.file.characteristics.filter { !missing.contains($0.name) }
        let table = Dictionary(there.map { ($0.id, properties) }) { first, _ in first }
        return send(
            .connected(
                LinkProfile(
                    characteristics: table, mtu: mtu, isPaired: isPaired,
                    unixMilliseconds: 1_767_225_600_000)))
    }

    mutating func send(_ input: Input) -> [String] { effects(input).compactMap { describe($0) } }

    mutating func effects(_ input: Input) -> [Effect] {
        var effects = Effects()
        machine.handle(input, at: now, effects: &effects)
        for case .remark(_, let text) in effects.list { lastRemark = text }
        return effects.list
    }

    mutating func notify(_ name: String, _ hex: String) -> [String] {
        send(.notification(id(name), Hex.bytes(hex) ?? []))
    }

    mutating func notify(_ name: String, text: String) -> [String] {
        send(.notification(id(name), Array(text.utf8)))
    }

    mutating func subscribed(_ name: String, _ error: OperationError? = nil) -> [String] {
        send(.subscribed(id(name), error.map { .failure($0) } ?? .success(())))
    }

    mutating func read(_ name: String, _ hex: String) -> [String] {
        send(.readCompleted(id(name), .success(Hex.bytes(hex) ?? [])))
    }

    /// Completes the oldest unfinished write.
    mutating func written(_ error: OperationError? = nil) -> [String] {
        guard !tokens.isEmpty else { return ["no write"] }
        return send(
            .writeCompleted(tokens.removeFirst(), id("out"), error.map { .failure($0) } ?? .success(())))
    }

    mutating func command(_ feature: String, _ payload: String = "{}") -> [String] {
        guard let command = family.features.first(where: { $0.name == feature })?.command else {
            return ["no command"]
        }
        do throws(CommandError) {
            lastCommand += 1
            let arguments = try command.parse(Array(payload.utf8)).arguments
            return send(.command(CommandID(lastCommand, arrival: now), feature: feature, arguments))
        } catch {
            return ["refused \(error.code.rawValue)"]
        }
    }

    mutating func timer(_ name: String, after delay: Duration) -> [String] {
        now += delay
        return send(.timer(TimerName(name)))
    }

    private mutating func describe(_ effect: Effect) -> String? {
        switch effect {
        case .write(let write):
            tokens.append(write.token)
            let kind = write.kind == .withResponse ? "" : " command"
            let priority = write.priority == .normal ? "" : " \(write.priority)"
            return "write \(name(write.characteristic)) \(Hex.string(write.value))\(kind)\(priority)"
        case .read(let id): return "read \(name(id))"
        case .subscribe(let id): return "subscribe \(name(id))"
        case .unsubscribe(let id): return "unsubscribe \(name(id))"
        case .publish(let feature, let value): return "publish \(feature) \(value)"
        case .answer(let id, .ok(let members)):
            return "answer \(id.number) ok\(members.isEmpty ? "" : " \(JSON.Value.object(members))")"
        case .answer(let id, .failed(let error)): return "answer \(id.number) \(error.code.rawValue)"
        case .startTimer(let name, let delay):
            return showsTimers ? "timer \(name) \(Int(delay / .milliseconds(1)))" : nil
        case .cancelTimer(let name): return showsTimers ? "cancel \(name)" : nil
        case .ready: return "ready"
        case .fail(let failure): return "fail \(failure.code.rawValue)"
        case .disconnect: return "disconnect"
        case .count(let name): return "count \(name)"
        case .lack(let lacking):
            return lacking.json.map { "lack \($0)" }
        case .remark(.debug, _): return nil
        case .remark(let level, _): return "remark \(level)"
        default: return "\(effect)"
        }
    }
}
