import Bluetooth
import BridgeTesting
import DeviceKit

@testable import DeviceCatalog

typealias TapBench = FamilyBench<PlayedTap>

struct PlayedTap: PlayedDevice {
    typealias Machine = TapMachine

    /// The model of a TAP, as it reports its versions.
    struct Kind: Sendable {
        var hardware: String?
        var firmware: String?

        static let strap = Kind(hardware: "3.2.0", firmware: "2.5.1")
        static let strap2 = Kind(hardware: "3.3.0", firmware: "2.5.1")
        static let xr = Kind(hardware: "4.4", firmware: "3.5.24")
    }

    /// The switches of the framed protocol by their codes, and its ranges, as they were set.
    var framed: [UInt8: UInt8] = [:]
    var framedCodes: [UInt8]?
    /// The number of effects that were already returned as commands.
    var takenCommands = 0

    static var family: any DeviceFamily { TapFamily() }
    static func line(_ effect: Effect) -> String?? { nil }

    /// The part of a UUID that docs/protocols/tap.md uses as the name of a characteristic.
    static func name(_ id: CharacteristicID) -> String {
        id.uuid.short == nil ? String(id.uuid.description.prefix(8)) : id.description
    }
}

extension TapBench {
    /// The writes to the UART service since the last ``takeCommands()``, with their times.
    var commands: [(time: Duration, hex: String)] {
        session.wishes.dropFirst(device.takenCommands).compactMap { wish in
            guard case .write(let write) = wish.effect, write.characteristic == TapGATT.command else {
                return nil
            }
            return (wish.time, hex(write.value))
        }
    }

    /// Returns the profile of a TAP with all characteristics.
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

    /// The profile of a TAP that has only the framed protocol.
    static var framedProfile: LinkProfile {
        let classic = [
            TapGATT.taps, TapGATT.mouse, TapGATT.haptics, TapGATT.air, TapGATT.command, TapGATT.raw,
        ]
        var profile = profile(without: Set(classic))
        profile.characteristics[TapGATT.frames] = .notify
        profile.characteristics[TapGATT.frameCommand] = .write
        return profile
    }

    /// Connects a TAP that answers everything, until its mode is set.
    mutating func connect(_ kind: PlayedTap.Kind = .strap2, profile: LinkProfile = TapBench.profile()) {
        begin(kind, profile: profile)
        acknowledge()
        advance(by: .seconds(1))
    }

    /// Returns a connected TAP.
    static func connected(
        _ kind: PlayedTap.Kind = .strap2, settings: Arguments = [:], profile: LinkProfile = TapBench.profile()
    ) -> TapBench {
        var bench = TapBench(settings)
        bench.connect(kind, profile: profile)
        return bench
    }

    /// Returns a connected TAP whose earlier lines are already taken.
    static func online(_ kind: PlayedTap.Kind = .strap2, settings: Arguments = [:]) -> TapBench {
        var bench = connected(kind, settings: settings)
        _ = (bench.take(), bench.takeCommands())
        return bench
    }

    /// Connects a TAP that answers the handshake.
    mutating func begin(_ kind: PlayedTap.Kind = .strap2, profile: LinkProfile = TapBench.profile()) {
        feed(.connected(profile))
        while !isReady, let next = operations.first { complete(read: Self.value(of: next, kind)) }
    }

    /// The number of unknown frames.
    var unknownFrames: Int {
        session.wishes.count { if case .count("unknown_frames") = $0.effect { true } else { false } }
    }

    /// Connects a TAP with the framed protocol that acknowledges every write and answers every question.
    mutating func connectFramed(codes: (gyro: UInt8, accelerometer: UInt8) = (3, 2)) {
        begin(.xr, profile: Self.framedProfile)
        answerFrames(codes: codes)
    }

    /// Acknowledges every write and answers every question: functions that were switched on are on, the others off.
    mutating func answerFrames(codes: (gyro: UInt8, accelerometer: UInt8) = (3, 2)) {
        while let next = operations.first {
            complete()
            guard case .write(let write) = next, write.characteristic == TapGATT.frameCommand else {
                continue
            }
            let frame = write.value
            switch Array(frame.prefix(3)) {
            case [0, 0, 0]: device.framed[frame[4]] = frame[5]
            case [0, 1, 0]: notify(TapGATT.frames, hex([3, 0, 0, 0, frame[4], device.framed[frame[4]] ?? 0]))
            case [1, 0, 10]: notify(TapGATT.frames, "03 01 00 00 00")
            case [1, 0, 11]: notify(TapGATT.frames, "03 02 00 00 00")
            case [1, 1, 2]: device.framedCodes = Array(frame[4...])
            case [1, 1, 12]:
                notify(
                    TapGATT.frames,
                    hex([3, 3, 0, 0] + (device.framedCodes ?? [codes.gyro, codes.accelerometer])))
            case [3, 3, 0]: notify(TapGATT.frames, "02 00 00 00 00")
            default: break
            }
        }
    }

    private static func value(of operation: LinkOperation, _ kind: PlayedTap.Kind) -> [UInt8] {
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

    /// Advances the clock, and fires the timers in order. The TAP acknowledges everything immediately, unless
    /// `isDeaf` is true.
    mutating func advance(by time: Duration, isDeaf: Bool = false) {
        advance(by: time, acknowledges: !isDeaf)
    }

    /// Returns the writes to the UART service since the last call.
    mutating func takeCommands() -> [String] {
        defer { device.takenCommands = session.wishes.count }
        return commands.map(\.hex)
    }
}
