import BridgeTesting
import DeviceKit
import JSON
import VirtualDevices

/// A family's state machine and a virtual device on one simulated clock. Tests can read the felt strength at any time.
struct Worn {
    private var virtual: VirtualCouple

    init(_ family: any DeviceFamily, _ model: Scenario.Model) {
        virtual = VirtualCouple(family, model, mtu: 185, now: .zero)
        virtual.connect(isBonded: true)
        // The time is not a whole number of seconds, so that the device's periodic messages do not coincide with the
        // test.
        run(.milliseconds(20_700))
    }

    /// Sends a command, and returns when its effects are in progress.
    @discardableResult
    mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        virtual.command(feature, arguments)
    }

    /// Advances the time.
    mutating func run(_ time: Duration) { virtual.run(time) }

    var now: Duration { virtual.now }
    var isReady: Bool { virtual.session.isReady }
    var reports: [String: JSON.Value] { virtual.session.reports }
    /// The newest answer of each command.
    var answers: [UInt64: DeviceKit.Answer] { virtual.session.answers.compactMapValues(\.last) }

    /// The intensities of the vibrating motors of a belt, in percent.
    var motors: [Int: Int] {
        for (_, report) in virtual.told.reversed() {
            if case .feel(let motors) = report {
                return Dictionary(uniqueKeysWithValues: motors.map { ($0.motor, $0.intensity) })
            }
        }
        return [:]
    }

    /// The strength of the strongest motor, 0 to 1.
    var strength: Double {
        for (_, report) in virtual.told.reversed() {
            switch report {
            case .feel(let motors): return Double(motors.map(\.intensity).max() ?? 0) / 100
            case .vibrate(let isOn): return isOn ? 1 : 0
            default: break
            }
        }
        return 0
    }
}
