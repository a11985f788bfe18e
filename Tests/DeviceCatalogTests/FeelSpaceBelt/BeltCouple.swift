import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import VirtualDevices

@testable import DeviceCatalog

/// The belt's state machine and the virtual belt on one virtual clock, and what tests ask of them.
struct BeltCouple {
    private var virtual: VirtualCouple

    init(_ choices: VirtualBelt.Choices = .init()) {
        virtual = VirtualCouple(BeltFamily(), .belt(choices), mtu: 23)
    }

    // MARK: What a test plays

    /// Connects and runs until the belt is ready or refused.
    mutating func connect(bonded: Bool = false) {
        virtual.connect(isBonded: bonded)
        run(.seconds(1))
    }

    static func connected(
        _ choices: VirtualBelt.Choices = .init(), change: (inout VirtualBelt.Choices) -> Void = { _ in }
    ) -> BeltCouple {
        var choices = choices
        change(&choices)
        var couple = BeltCouple(choices)
        couple.connect()
        return couple
    }

    /// The link breaks.
    mutating func drop() { virtual.drop() }

    /// The bridge stops everything, for a reason.
    mutating func stop(_ cause: StopCause, run time: Duration = .milliseconds(500)) {
        virtual.feed(.stop(cause))
        run(time)
    }

    /// The bridge ends in good order.
    mutating func shutDown() {
        virtual.feed(.stop(.shutdown))
        virtual.feed(.close)
        run(.milliseconds(500))
    }

    /// The bridge dies: the guardian carries out the will and closes the link.
    mutating func die() {
        virtual.die()
        run(.milliseconds(500))
    }

    mutating func act(_ words: String) {
        virtual.act(words)
        run(.milliseconds(300))
    }

    @discardableResult
    mutating func command(_ feature: String, _ payload: String, run time: Duration = .milliseconds(500))
        -> UInt64
    {
        let id = virtual.command(feature, payload)
        run(time)
        return id
    }

    /// Lets time pass.
    mutating func run(_ time: Duration) { virtual.run(time) }

    // MARK: What came of it

    var machine: BeltMachine {
        guard let machine = virtual.session.machine as? BeltMachine else {
            preconditionFailure("the family makes another machine")
        }
        return machine
    }
    var isReady: Bool { virtual.session.isReady }
    var lastCommand: UInt64 { virtual.session.lastCommand }
    var failures: [DeviceFailure] { virtual.session.failures }
    /// The newest value of every report.
    var reports: [String: JSON.Value] { virtual.session.reports }
    /// The published mode: `unknown` after the link has ended.
    var mode: String { reports["mode"]?.string ?? "" }
    /// The mode that the virtual belt is in, with a link or without.
    var beltMode: String {
        for told in virtual.told.reversed() {
            if case .other(event: "mode", let details) = told.report { return details["mode"] ?? "" }
        }
        return ""
    }
    var navigation: String { reports["navigation"]?["state"]?.string ?? "" }
    /// The newest answer of each command.
    var answers: [UInt64: DeviceKit.Answer] { virtual.session.answers.compactMapValues(\.last) }

    /// Every event, in order.
    var events: [String] {
        virtual.session.wishes.compactMap { wish in
            guard case .publish(let feature, let value) = wish.effect, ["button", "home"].contains(feature)
            else { return nil }
            return "\(feature) \(value)"
        }
    }

    /// Every set of motors that ran, in order.
    var feelings: [[Int]] {
        virtual.told.compactMap { told in
            guard case .feel(let motors) = told.report else { return nil }
            return motors.map(\.motor)
        }
    }
    /// The motors that run.
    var felt: [Int] { feelings.last ?? [] }

    /// What the belt itself thought wrong.
    var rejected: [[String: String]] {
        virtual.told.compactMap { told in
            guard case .other(event: "rejected", let details) = told.report else { return nil }
            return details
        }
    }

    /// When vibration commands arrived, and their bytes.
    var vibrations: [(time: Duration, bytes: [UInt8])] {
        virtual.arrivals.filter { $0.write.characteristic == BeltGATT.vibration }
            .map { ($0.time, $0.write.value) }
    }
}
