import BridgeTesting
import DeviceKit
import JSON
import VirtualDevices

/// A family's state machine and a virtual device on one virtual clock; what its wearer feels can be asked at any moment.
struct Worn {
    private var virtual: VirtualCouple

    init(_ family: any DeviceFamily, _ model: Scenario.Model) {
        virtual = VirtualCouple(family, model, mtu: 185, now: .zero)
        virtual.connect(isBonded: true)
        // Not a whole number of seconds, so that nothing coincides with what the device sends of its own accord.
        run(.milliseconds(20_700))
    }

    /// Sends a command, and returns when its effects are on their way.
    @discardableResult
    mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        virtual.command(feature, arguments)
    }

    /// Lets time pass.
    mutating func run(_ time: Duration) { virtual.run(time) }

    var now: Duration { virtual.now }
    var isReady: Bool { virtual.session.isReady }
    var reports: [String: JSON.Value] { virtual.session.reports }
    /// The newest answer of each command.
    var answers: [UInt64: DeviceKit.Answer] { virtual.session.answers.compactMapValues(\.last) }

    /// How strong the strongest motor runs, 0 to 1.
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
