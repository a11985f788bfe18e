import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import VirtualDevices

/// A family's state machine and a virtual device on one simulated clock. Tests can read the felt strength at any time.
struct Worn {
    private var virtual: VirtualCouple
    private let strengthOfWrite: @Sendable (Write) -> Double?

    /// - Parameter strengthOfWrite: For a device of a device file, returns the strength, 0 to 1, that a write sets.
    init(
        _ family: any DeviceFamily, _ model: Scenario.Model,
        strengthOfWrite: @escaping @Sendable (Write) -> Double? = { _ in nil }
    ) {
        self.strengthOfWrite = strengthOfWrite
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
    var strength: Double { felt(since: .zero).changes.last?.strength ?? 0 }

    /// The properties of its pattern that a command's answer reports as not shown; nil if it is not carried out.
    func degraded(_ command: UInt64) -> Set<String>? {
        guard case .ok(let members) = answers[command] else { return nil }
        return Set((members["degraded"]?.array ?? []).compactMap(\.string))
    }

    /// What the wearer has felt since a time.
    ///
    /// - Parameter motor: A motor of a belt; nil for the strongest motor of the device.
    func felt(since start: Duration, at motor: Int? = nil) -> FeltCurve {
        var curve = FeltCurve()
        for (time, report) in virtual.told.reversed().prefix(while: { $0.time >= start }).reversed() {
            switch report {
            case .feel(let motors):
                let felt = motors.filter { motor == nil || $0.motor == motor }.map(\.intensity).max() ?? 0
                curve.change(to: Double(felt) / 100, at: time - start)
            case .vibrate(let isOn): curve.change(to: isOn ? 1 : 0, at: time - start)
            default: break
            }
        }
        for arrival in virtual.arrivals.reversed().prefix(while: { $0.time >= start }).reversed() {
            guard let strength = strengthOfWrite(arrival.write) else { continue }
            curve.change(to: strength, at: arrival.time - start)
        }
        return curve
    }
}
