import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import VirtualDevices

@testable import DeviceCatalog

/// The belt's state machine and the virtual belt on one virtual clock, with helpers for tests.
struct BeltCouple {
    private var virtual: VirtualCouple

    init(_ choices: VirtualBelt.Choices = .init()) {
        virtual = VirtualCouple(BeltFamily(), .belt(choices), mtu: 23)
    }

    // MARK: Actions of tests

    /// Connects and runs until the belt is ready or refuses the connection.
    mutating func connect(bonded: Bool = false, isOverProxy: Bool = false) {
        virtual.connect(isBonded: bonded, isOverProxy: isOverProxy)
        run(.seconds(1))
    }

    /// Freezes the bridge. Nothing more arrives at the belt, and the link stays.
    mutating func freeze() {
        virtual.isFrozen = true
        virtual.isStuck = true
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

    /// Breaks the link.
    mutating func drop() { virtual.drop() }

    /// Stops everything, for the given cause.
    mutating func stop(_ cause: StopCause, run time: Duration = .milliseconds(500)) {
        virtual.feed(.stop(cause))
        run(time)
    }

    /// Shuts the bridge down cleanly.
    mutating func shutDown() {
        virtual.feed(.stop(.shutdown))
        virtual.feed(.close)
        run(.milliseconds(500))
    }

    /// Simulates a crash of the bridge: the guardian executes the will and closes the link.
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

    /// Advances the clock.
    mutating func run(_ time: Duration) { virtual.run(time) }

    // MARK: Results

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
    /// The published mode: `unknown` after the end of the link.
    var mode: String { reports["mode"]?.string ?? "" }
    /// The mode of the virtual belt, with or without a link.
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

    /// Every set of active motors, in order.
    var feelings: [[Int]] {
        virtual.told.compactMap { told in
            guard case .feel(let motors) = told.report else { return nil }
            return motors.map(\.motor)
        }
    }
    /// The active motors.
    var felt: [Int] { feelings.last ?? [] }

    /// The rejections that the virtual belt reported.
    var rejected: [[String: String]] {
        virtual.told.compactMap { told in
            guard case .other(event: "rejected", let details) = told.report else { return nil }
            return details
        }
    }

    /// The vibration commands that arrived, with their times.
    var vibrations: [(time: Duration, bytes: [UInt8])] {
        virtual.arrivals.filter { $0.write.characteristic == BeltGATT.vibration }
            .map { ($0.time, $0.write.value) }
    }
}
