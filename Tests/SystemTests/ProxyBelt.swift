import EventLoop
import HostTesting
import JSON
import Testing

/// A bench with a belt over a Bluetooth proxy, which vibrates for 4 s from the start.
final class ProxyBelt {
    let bench: ProxyBench
    var proxy: Program { bench.proxy }
    private let start: Duration
    /// The motors that ran, in the order of their reports.
    private var vibrations: [[Int]] = []
    private var silentSince: Duration?
    private var linkEnd: Duration?

    init(options: [String] = [], isRelayed: Bool = false) throws {
        bench = try ProxyBench(
            devices: "  belt: { address: \"C0:FF:EE:00:BE:01\", choices: { wait_signal: off } }",
            options: options, isRelayed: isRelayed)
        try bench.expectOnline("belt")
        try bench.bench.watcher.expect("belt/availability", within: .seconds(10), fromStart: true) {
            $0.payload == "online"
        }
        start = EventLoop.now
        try bench.bench.expectOK("belt/vibrate/set", Self.command(motor: 6))
        try proxy.expectMotors([6])
    }

    /// A vibration of 4 s, which the belt ends itself.
    static func command(motor: Int) -> String {
        #"{"channel":0,"motor":\#(motor),"iterations":1,"period_ms":4000}"#
    }

    func command(motor: Int) throws -> JSON.Value {
        try bench.bench.ask("belt/vibrate/set", Self.command(motor: motor))
    }

    /// How often a motor was started.
    func felt(motor: Int) -> Int { vibrations.count { $0.contains(motor) } }

    /// Notes the reports of the belt until a time.
    func watch(until end: Duration) throws { try watch(until: end) { false } }

    private func watch(until end: Duration, _ isDone: () -> Bool) throws {
        while !isDone(), EventLoop.now < end {
            guard let report = proxy.nextReport(within: end - EventLoop.now) else { continue }
            if report["event"] == "feel" {
                let motors = report["motors"]?.array?.compactMap { $0["motor"]?.integer } ?? []
                if motors.isEmpty { silentSince = EventLoop.now } else { vibrations.append(motors) }
            } else if report["event"] == "link", report["connected"] == false {
                linkEnd = EventLoop.now
            }
        }
    }

    /// Waits until the belt is silent, at most 5 s after the command.
    func expectSilence() throws {
        try watch(until: start + .seconds(5)) { silentSince != nil }
        #expect(silentSince != nil, "the belt is silent within 5 s")
    }

    /// Waits until the belt is silent, and its link has ended.
    ///
    /// - Returns: The time of the link's end.
    @discardableResult
    func expectSilence(andLinkEndWithin limit: Duration) throws -> Duration {
        let end = EventLoop.now + limit
        try watch(until: end) { linkEnd != nil }
        try expectSilence()
        return try #require(linkEnd, "the link ends within \(limit)")
    }

    /// Waits until the belt is online again, and obeys.
    func expectReturn(isOffline: Bool = false) throws {
        if !isOffline { try bench.bench.watcher.expect("belt/availability", "offline", within: .seconds(20)) }
        try bench.bench.watcher.expect("belt/availability", "online", within: .seconds(90))
        try bench.bench.expectOK("belt/vibrate/set", Self.command(motor: 9))
        try watch(until: EventLoop.now + .seconds(5)) { felt(motor: 9) > 0 }
        #expect(felt(motor: 9) > 0, "the belt obeys")
    }
}
