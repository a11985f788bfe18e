import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import Tap

/// Holds a TAP's state machine and plays session, link and clock to it; what it wants done is kept as lines of text.
struct Bench {
    /// A kind of TAP, as it tells itself.
    struct Kind: Sendable {
        var hardware: String?
        var firmware: String?

        static let strap = Kind(hardware: "3.2.0", firmware: "2.5.1")
        static let strap2 = Kind(hardware: "3.3.0", firmware: "2.5.1")
        static let xr = Kind(hardware: "4.4", firmware: "3.5.24")
    }

    private(set) var machine: TapMachine
    private(set) var now = Duration.seconds(100)
    /// What was wanted since the last ``take()``, one line each.
    private(set) var lines: [String] = []
    /// All answers that each command got.
    private(set) var answers: [UInt64: [Answer]] = [:]
    private(set) var isReady = false
    /// Operations that are not completed yet, in order.
    private(set) var operations: [Effect] = []
    /// When something was written to the UART service, and what.
    private(set) var commands: [(time: Duration, hex: String)] = []
    private(set) var remarks: [String] = []
    private(set) var info = DeviceInfo()
    private var timers: [TimerName: Duration] = [:]
    private var lastCommand: UInt64 = 0
    private let family = TapFamily()

    init(_ settings: Arguments = [:]) { machine = TapMachine(settings: settings) }

    /// The whole table of a TAP.
    static func profile(isPaired: Bool = true, without missing: Set<CharacteristicID> = []) -> LinkProfile {
        let table: [CharacteristicID: CharacteristicProperties] = [
            GATT.deviceName: [.read, .write], GATT.taps: .notify,
            GATT.mouse: [.notify, .write, .writeWithoutResponse],
            GATT.haptics: [.write, .writeWithoutResponse],
            GATT.air: [.notify, .writeWithoutResponse, .read], GATT.visionModel: [.notify, .read],
            GATT.command: .write, GATT.raw: .notify, GATT.manufacturer: .read, GATT.serial: .read,
            GATT.hardware: .read, GATT.firmware: .read, GATT.battery: [.read, .notify],
        ]
        return LinkProfile(
            characteristics: table.filter { !missing.contains($0.key) }, mtu: 247, isPaired: isPaired,
            name: "Tap_A1B2C3")
    }

    /// Hands an input to the machine and notes what it wants done.
    mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) { note(effect) }
    }

    /// Takes the lines so far.
    mutating func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    // MARK: The TAP's side

    mutating func notify(_ characteristic: CharacteristicID, _ hex: String) {
        feed(.notification(characteristic, bytes(hex)))
    }

    /// Completes the oldest operation.
    mutating func complete(_ error: OperationError? = nil, read value: [UInt8] = []) {
        guard !operations.isEmpty else { return }
        switch operations.removeFirst() {
        case .write(let write):
            feed(
                .writeCompleted(write.token, write.characteristic, error.map { .failure($0) } ?? .success(()))
            )
        case .read(let id): feed(.readCompleted(id, error.map { .failure($0) } ?? .success(value)))
        case .subscribe(let id): feed(.subscribed(id, error.map { .failure($0) } ?? .success(())))
        default: break
        }
    }

    /// Completes all operations that wait, and those that they lead to.
    mutating func acknowledge() {
        var rounds = 0
        while !operations.isEmpty, rounds < 1000 {
            complete()
            rounds += 1
        }
    }

    /// Connects a TAP that answers everything, until its mode is set.
    mutating func connect(_ kind: Kind = .strap2, profile: LinkProfile = Bench.profile()) {
        begin(kind, profile: profile)
        acknowledge()
        advance(by: .seconds(1))
    }

    /// Connects a TAP that answers the handshake.
    mutating func begin(_ kind: Kind = .strap2, profile: LinkProfile = Bench.profile()) {
        isReady = false
        operations = []
        feed(.connected(profile))
        while !isReady, let next = operations.first { complete(read: Self.value(of: next, kind)) }
    }

    private static func value(of operation: Effect, _ kind: Kind) -> [UInt8] {
        switch operation {
        case .read(GATT.hardware): Array((kind.hardware ?? "").utf8)
        case .read(GATT.firmware): Array((kind.firmware ?? "").utf8)
        case .read(GATT.serial): Array("ABCDEF0123456789".utf8)
        case .read(GATT.manufacturer): Array("TAP Systems".utf8)
        case .read(GATT.deviceName): Array("Tap_XR42".utf8)
        case .read(GATT.battery): [0x57]
        default: []
        }
    }

    // MARK: The user's side

    /// Sends a command as it would arrive by MQTT; its errors become lines too.
    @discardableResult
    mutating func command(_ feature: String, _ payload: String) -> UInt64 {
        lastCommand += 1
        let id = lastCommand
        guard let command = family.feature(feature)?.command else {
            Issue.record("no command \(feature)")
            return id
        }
        do throws(CommandError) {
            let arguments = try command.parse(Array(payload.utf8)).arguments
            feed(.command(CommandID(id), feature: feature, arguments))
        } catch {
            note(.answer(CommandID(id), .failed(error)))
        }
        return id
    }

    /// The refusal that a command got at last.
    var refusal: CommandError? {
        guard case .failed(let error) = answers[lastCommand]?.last else { return nil }
        return error
    }

    /// Moves the clock and lets the timers run out in their order; the TAP acknowledges everything at once, unless
    /// it is deaf.
    mutating func advance(by time: Duration, isDeaf: Bool = false) {
        let end = now + time
        while let next = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
            timers[next.key] = nil
            now = max(now, next.value)
            feed(.timer(next.key))
            if !isDeaf { acknowledge() }
        }
        now = end
    }

    /// What was written to the UART service since the last call.
    mutating func takeCommands() -> [String] {
        defer { commands = [] }
        return commands.map(\.hex)
    }

    // MARK: What the machine wants

    private mutating func note(_ effect: Effect) {
        switch effect {
        case .write(let write):
            operations.append(effect)
            if write.characteristic == GATT.command { commands.append((now, Self.hex(write.value))) }
            let kind = write.kind == .withResponse ? ">" : "~>"
            let priority = write.priority == .normal ? "" : " \(write.priority)"
            lines.append("\(kind) \(Self.name(write.characteristic)) \(Self.hex(write.value))\(priority)")
        case .read(let id):
            operations.append(effect)
            lines.append("read \(Self.name(id))")
        case .subscribe(let id):
            operations.append(effect)
            lines.append("subscribe \(Self.name(id))")
        case .unsubscribe(let id): lines.append("unsubscribe \(Self.name(id))")
        case .publish(let feature, let value): lines.append("\(feature) = \(value)")
        case .withdraw(let feature): lines.append("\(feature) withdrawn")
        case .identify(let info): self.info = info
        case .answer(let id, let answer):
            answers[id.number, default: []].append(answer)
            switch answer {
            case .ok: lines.append("#\(id.number) ok")
            case .failed(let error): lines.append("#\(id.number) \(error.code.rawValue)")
            }
        case .startTimer(let name, let delay): timers[name] = now + delay
        case .cancelTimer(let name): timers[name] = nil
        case .ready:
            isReady = true
            lines.append("ready")
        case .fail(let failure): lines.append("fail \(failure.code.rawValue)")
        case .disconnect: lines.append("disconnect")
        case .remark(_, let text): remarks.append(text)
        case .remember, .latch, .count, .awaitClearance: break
        }
    }

    /// The part of a UUID by which docs/protocols/tap.md calls a characteristic.
    private static func name(_ id: CharacteristicID) -> String {
        id.uuid.short == nil ? String(id.uuid.description.prefix(8)) : id.description
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { Hex.string([$0]).uppercased() }.joined(separator: " ")
    }
}
