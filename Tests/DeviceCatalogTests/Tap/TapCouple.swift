import BridgeTesting
import DeviceKit
import JSON
import VirtualDevices

@testable import DeviceCatalog

/// The TAP's state machine and the virtual TAP on one virtual clock, with helpers for tests.
struct TapCouple {
    private var virtual: VirtualCouple
    /// The number of events that were already returned.
    private var taken = 0

    init(_ choices: VirtualTap.Choices = .init(), settings: Arguments = [:]) {
        virtual = VirtualCouple(TapFamily(), .tap(choices), settings: settings)
    }

    // MARK: Actions of tests

    /// Whether the bridge is frozen while the TAP continues.
    var isDead: Bool {
        get { virtual.isFrozen }
        set { virtual.isFrozen = newValue }
    }

    /// Connects and runs until the TAP is ready and in its mode.
    mutating func connect() {
        virtual.connect(isBonded: true)
        run(.seconds(2))
    }

    static func connected(
        _ choices: VirtualTap.Choices = .init(), settings: Arguments = [:],
        change: (inout VirtualTap.Choices) -> Void = { _ in }
    ) -> TapCouple {
        var choices = choices
        change(&choices)
        var couple = TapCouple(choices, settings: settings)
        couple.connect()
        return couple
    }

    /// Breaks the link.
    mutating func drop() { virtual.drop() }

    mutating func close() {
        virtual.feed(.close)
        run(.milliseconds(1500))
    }

    mutating func act(_ words: String) {
        virtual.act(words)
        run(.milliseconds(100))
    }

    @discardableResult
    mutating func command(_ feature: String, _ payload: String, run time: Duration = .seconds(1))
        -> DeviceKit.Answer?
    {
        let id = virtual.command(feature, payload)
        run(time)
        return virtual.session.answers[id]?.last
    }

    /// Advances the clock.
    mutating func run(_ time: Duration) { virtual.run(time) }

    /// Returns the new events and stream messages.
    mutating func takeEvents() -> [String] {
        let all = virtual.session.wishes
        defer { taken = all.count }
        return all.dropFirst(taken).compactMap { wish in
            guard case .publish(let feature, let value) = wish.effect,
                virtual.session.family.feature(feature)?.report?.kind != .state
            else { return nil }
            return "\(feature) \(value)"
        }
    }

    // MARK: Results

    var isReady: Bool { virtual.session.isReady }
    var info: DeviceInfo { virtual.session.info }
    /// The newest value of every report.
    var reports: [String: JSON.Value] { virtual.session.reports }

    /// The reports of the virtual TAP, in order.
    var told: [(time: Duration, event: String, details: [String: String])] {
        virtual.told.compactMap { told in
            guard case .other(let event, let details) = told.report else { return nil }
            return (told.time, event, details)
        }
    }
    /// When vibrations started and ended.
    var vibrations: [(time: Duration, isOn: Bool)] {
        virtual.told.compactMap { told in
            guard case .vibrate(let isOn) = told.report else { return nil }
            return (told.time, isOn)
        }
    }
    /// The current mode, as reported by the virtual TAP.
    var mode: String { told.last { $0.event == "mode" }?.details["mode"] ?? "" }

    /// Returns how often the virtual TAP reported an event.
    func count(_ event: String) -> Int { told.count { $0.event == event } }
}
