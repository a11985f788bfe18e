import Bluetooth
import BridgeTesting
import DeviceKit

@testable import DeviceCatalog

/// A TAP's state machine in the harness; a test is the TAP, and what the machine wants done is lines of text.
struct TapBench {
    /// A kind of TAP, as it tells itself.
    struct Kind: Sendable {
        var hardware: String?
        var firmware: String?

        static let strap = Kind(hardware: "3.2.0", firmware: "2.5.1")
        static let strap2 = Kind(hardware: "3.3.0", firmware: "2.5.1")
        static let xr = Kind(hardware: "4.4", firmware: "3.5.24")
    }

    private var session: MachineHarness
    /// The switches of the framed protocol by their codes, and its ranges, as they were set.
    private var framed: [UInt8: UInt8] = [:]
    private var framedCodes: [UInt8]?
    /// How many of the machine's wishes were taken as lines, and as commands.
    private var taken = (lines: 0, commands: 0)

    init(_ settings: Arguments = [:]) { session = MachineHarness(TapFamily(), settings: settings) }

    var machine: TapMachine {
        guard let machine = session.machine as? TapMachine else {
            preconditionFailure("the family makes another machine")
        }
        return machine
    }
    var now: Duration { session.now }
    /// All answers that each command got.
    var answers: [UInt64: [Answer]] { session.answers }
    var isReady: Bool { session.isReady }
    var info: DeviceInfo { session.info }
    /// The operations under way, in the order of their start.
    var operations: [LinkOperation] { session.underWay.map(\.operation) }
    /// When something was written to the UART service since the last ``takeCommands()``, and what.
    var commands: [(time: Duration, hex: String)] {
        session.wishes.dropFirst(taken.commands).compactMap { wish in
            guard case .write(let write) = wish.effect, write.characteristic == TapGATT.command else {
                return nil
            }
            return (wish.time, Self.hex(write.value))
        }
    }
    /// All that the machine wanted so far.
    var effects: [Effect] { session.wishes.map(\.effect) }
    var remarks: [String] {
        session.wishes.compactMap { if case .remark(_, let text) = $0.effect { text } else { nil } }
    }

    /// The whole table of a TAP.
    static func profile(isPaired: Bool = true, without missing: Set<CharacteristicID> = []) -> LinkProfile {
        let table: [CharacteristicID: CharacteristicProperties] = [
            TapGATT.deviceName: [.read, .write], TapGATT.taps: .notify,
            TapGATT.mouse: [.notify, .write, .writeWithoutResponse],
            TapGATT.haptics: [.write, .writeWithoutResponse],
            TapGATT.air: [.notify, .writeWithoutResponse, .read], TapGATT.visionModel: [.notify, .read],
            TapGATT.command: .write, TapGATT.raw: .notify, TapGATT.manufacturer: .read, TapGATT.serial: .read,
            TapGATT.hardware: .read, TapGATT.firmware: .read, TapGATT.battery: [.read, .notify],
            TapGATT.bootloader: .read, TapGATT.secondFirmware: [.notify, .read],
        ]
        return LinkProfile(
            characteristics: table.filter { !missing.contains($0.key) }, mtu: 247, isPaired: isPaired,
            name: "Tap_A1B2C3")
    }

    /// The table of a TAP with the framed protocol, which has nothing of the classic one.
    static var framedProfile: LinkProfile {
        let classic = [
            TapGATT.taps, TapGATT.mouse, TapGATT.haptics, TapGATT.air, TapGATT.command, TapGATT.raw,
        ]
        var profile = profile(without: Set(classic))
        profile.characteristics[TapGATT.frames] = .notify
        profile.characteristics[TapGATT.frameCommand] = .write
        return profile
    }

    mutating func feed(_ input: Input) { session.feed(input) }

    /// Takes what was wanted since the last call, one line each.
    mutating func take() -> [String] {
        defer { taken.lines = session.wishes.count }
        return session.wishes.dropFirst(taken.lines).compactMap { Self.line($0.effect) }
    }

    // MARK: The TAP's side

    mutating func notify(_ characteristic: CharacteristicID, _ hex: String) {
        feed(.notification(characteristic, bytes(hex)))
    }

    /// Completes the operation that is under way for the longest time.
    mutating func complete(_ error: OperationError? = nil, read value: [UInt8] = []) {
        guard let first = session.underWay.first else { return }
        session.finish(first.number, error.map { .failure($0) } ?? .success(value))
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
    mutating func connect(_ kind: Kind = .strap2, profile: LinkProfile = TapBench.profile()) {
        begin(kind, profile: profile)
        acknowledge()
        advance(by: .seconds(1))
    }

    /// Connects a TAP that answers the handshake.
    mutating func begin(_ kind: Kind = .strap2, profile: LinkProfile = TapBench.profile()) {
        feed(.connected(profile))
        while !isReady, let next = operations.first { complete(read: Self.value(of: next, kind)) }
    }

    /// How many frames were not understood.
    var unknownFrames: Int {
        session.wishes.count { if case .count("unknown_frames") = $0.effect { true } else { false } }
    }

    /// Connects a TAP with the framed protocol that acknowledges everything and answers what it is asked.
    mutating func connectFramed(codes: (gyro: UInt8, accelerometer: UInt8) = (3, 2)) {
        begin(.xr, profile: Self.framedProfile)
        answerFrames(codes: codes)
    }

    /// Acknowledges every write and answers every question: what was set is on, the rest is off.
    mutating func answerFrames(codes: (gyro: UInt8, accelerometer: UInt8) = (3, 2)) {
        while let next = operations.first {
            complete()
            guard case .write(let write) = next, write.characteristic == TapGATT.frameCommand else {
                continue
            }
            let frame = write.value
            switch Array(frame.prefix(3)) {
            case [0, 0, 0]: framed[frame[4]] = frame[5]
            case [0, 1, 0]: notify(TapGATT.frames, Self.hex([3, 0, 0, 0, frame[4], framed[frame[4]] ?? 0]))
            case [1, 0, 10]: notify(TapGATT.frames, "03 01 00 00 00")
            case [1, 0, 11]: notify(TapGATT.frames, "03 02 00 00 00")
            case [1, 1, 2]: framedCodes = Array(frame[4...])
            case [1, 1, 12]:
                notify(
                    TapGATT.frames,
                    Self.hex([3, 3, 0, 0] + (framedCodes ?? [codes.gyro, codes.accelerometer])))
            case [3, 3, 0]: notify(TapGATT.frames, "02 00 00 00 00")
            default: break
            }
        }
    }

    private static func value(of operation: LinkOperation, _ kind: Kind) -> [UInt8] {
        switch operation {
        case .read(TapGATT.hardware): Array((kind.hardware ?? "").utf8)
        case .read(TapGATT.firmware): Array((kind.firmware ?? "").utf8)
        case .read(TapGATT.serial): Array("ABCDEF0123456789".utf8)
        case .read(TapGATT.manufacturer): Array("TAP Systems".utf8)
        case .read(TapGATT.deviceName): Array("Tap_XR42".utf8)
        case .read(TapGATT.battery): [0x57]
        case .read(TapGATT.bootloader): Array("012".utf8)
        case .read(TapGATT.visionModel): Array("42".utf8)
        case .read(TapGATT.secondFirmware): Array("1.0.0".utf8)
        default: []
        }
    }

    // MARK: The user's side

    /// Sends a command as it would arrive by MQTT; its errors become lines too.
    @discardableResult
    mutating func command(_ feature: String, _ payload: String) -> UInt64 {
        session.command(feature, Array(payload.utf8))
    }

    /// The refusal that a command got at last.
    var refusal: CommandError? {
        guard case .failed(let error) = answers[session.lastCommand]?.last else { return nil }
        return error
    }

    /// Moves the clock and lets the timers run out in their order; the TAP acknowledges everything at once, unless
    /// it is deaf.
    mutating func advance(by time: Duration, isDeaf: Bool = false) {
        let end = now + time
        while let next = session.nextTimer, next <= end {
            session.advance(to: next)
            if !isDeaf { acknowledge() }
        }
        session.sleep(until: end)
    }

    /// What was written to the UART service since the last call.
    mutating func takeCommands() -> [String] {
        defer { taken.commands = session.wishes.count }
        return commands.map(\.hex)
    }

    // MARK: What the machine wants

    private static func line(_ effect: Effect) -> String? {
        switch effect {
        case .write(let write):
            let kind = write.kind == .withResponse ? ">" : "~>"
            let priority = write.priority == .normal ? "" : " \(write.priority)"
            return "\(kind) \(name(write.characteristic)) \(hex(write.value))\(priority)"
        case .read(let id): return "read \(name(id))"
        case .subscribe(let id): return "subscribe \(name(id))"
        case .unsubscribe(let id): return "unsubscribe \(name(id))"
        case .publish(let feature, let value): return "\(feature) = \(value)"
        case .withdraw(let feature): return "\(feature) withdrawn"
        case .answer(let id, .ok): return "#\(id.number) ok"
        case .answer(let id, .failed(let error)): return "#\(id.number) \(error.code.rawValue)"
        case .ready: return "ready"
        case .fail(let failure): return "fail \(failure.code.rawValue)"
        case .disconnect: return "disconnect"
        case .identify, .startTimer, .cancelTimer, .remark, .remember, .latch, .count, .awaitClearance, .lack:
            return nil
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
