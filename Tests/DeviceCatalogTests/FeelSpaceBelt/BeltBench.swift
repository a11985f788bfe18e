import Bluetooth
import BridgeTesting
import DeviceKit
import JSON

@testable import DeviceCatalog

typealias BeltBench = FamilyBench<PlayedBelt>

struct PlayedBelt: PlayedDevice {
    typealias Machine = BeltMachine

    static var family: any DeviceFamily { BeltFamily() }
    static func name(_ id: CharacteristicID) -> String { id.description }

    /// Omits the publications of `vibration`.
    static func line(_ effect: Effect) -> String?? {
        switch effect {
        case .publish(BeltFamily.vibration.name, _): .some(nil)
        case .identify(let info): "firmware \(info.firmware ?? "?"), \(info.hardware ?? "?")"
        default: nil
        }
    }
}

extension BeltBench {
    /// The published values of `vibration`, in order, with their times.
    var vibrations: [(time: Duration, value: JSON.Value)] {
        session.wishes.compactMap { wish in
            guard case .publish(BeltFamily.vibration.name, let value) = wish.effect else { return nil }
            return (wish.time, value)
        }
    }

    /// Returns the new writes, without answers to keep-alives.
    mutating func takeWrites() -> [String] {
        take().filter { $0.hasPrefix("> ") && !$0.hasPrefix("> FE02") }.map { String($0.dropFirst(2)) }
    }

    mutating func notify(mode: BeltMode) {
        feed(.notification(BeltGATT.parameterNotification, [1, 1, mode.rawValue]))
    }

    mutating func press(_ button: BeltButton, _ from: BeltMode, _ to: BeltMode, type: UInt8 = 1) {
        feed(
            .notification(BeltGATT.button, BeltButtonPress(button, pressType: type, from: from, to: to).bytes)
        )
    }

    /// Connects a belt that answers everything, until it is ready.
    mutating func connect(
        mode: BeltMode = .wait, firmware: UInt16 = 52, variant: UInt8 = 0,
        profile: LinkProfile = BeltGATT.profile
    ) {
        feed(.connected(profile))
        while !isReady, let next = operations.first {
            complete(read: Self.value(of: next, firmware, variant))
            answer(next, mode)
        }
        acknowledge()
    }

    /// Returns a connected belt.
    static func connected(
        _ settings: Arguments = [:], mode: BeltMode = .wait, firmware: UInt16 = 52, variant: UInt8 = 0,
        profile: LinkProfile = BeltGATT.profile
    ) -> BeltBench {
        var bench = BeltBench(settings)
        bench.connect(mode: mode, firmware: firmware, variant: variant, profile: profile)
        return bench
    }

    /// Returns a connected belt whose earlier lines are already taken.
    static func online(
        _ settings: Arguments = [:], mode: BeltMode = .wait, firmware: UInt16 = 52,
        profile: LinkProfile = BeltGATT.profile
    ) -> BeltBench {
        var bench = connected(settings, mode: mode, firmware: firmware, profile: profile)
        _ = bench.take()
        return bench
    }

    private static func value(of operation: LinkOperation, _ firmware: UInt16, _ variant: UInt8) -> [UInt8] {
        operation == .read(BeltGATT.firmware)
            ? BeltFirmwareInformation(version: firmware, variant: variant).bytes
            : BeltBatteryStatus(.battery, level: 75.5, remaining: 25_920, current: -200).bytes
    }

    /// Notifies the answers of the belt to requests of the handshake.
    mutating func answer(_ operation: LinkOperation, _ mode: BeltMode) {
        guard case .write(let write) = operation,
            case .read(let parameter) = BeltParameterRequest(write.value)
        else { return }
        let value: [UInt8] =
            switch parameter {
            case .mode: [mode.rawValue]
            case .intensity: [50]
            case .headingOffset: [45, 0]
            case .accuracySignal: [3]
            case .frontRange: bytes("E1 00 A0 00 2C 01 01")
            default: [1]
            }
        feed(.notification(BeltGATT.parameterNotification, BeltParameterNotification(parameter, value).bytes))
    }

    /// Advances the clock, and fires the timers in order.
    mutating func advance(by time: Duration) { advance(by: time, acknowledges: false) }
}
