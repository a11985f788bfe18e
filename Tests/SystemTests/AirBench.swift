import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// Two hosts, each with its own bus and bridge, that share one broker and one set of devices.
final class AirBench {
    enum Host: String, CaseIterable, Sendable {
        case a, b

        var other: Host { self == .a ? .b : .a }
        /// The host's name in the commands of the radio simulator.
        var name: String { rawValue.uppercased() }
    }

    private let benches: [Host: Bench]
    let air: Program
    private let configuration: String
    private let join: String
    private let hasZones: Bool

    /// Starts all programs; the devices are in range of A and out of range of B.
    ///
    /// - Parameters:
    ///   - device: The family of the only device, which is also its name.
    ///   - supervision: The supervision timeout, after which a silent connection is lost.
    ///   - permits: Whether the test opens a permit_join window; otherwise the bridges let every device join.
    ///   - hasZones: Whether the hosts are in the zones `zone-a` and `zone-b`.
    init(
        _ device: String, supervision: String = "420ms", configuration: String = "", permits: Bool = false,
        hasZones: Bool = false
    ) throws {
        let first = try Bench()
        let benches: [Host: Bench] = [.a: first, .b: try Bench(besides: first)]
        self.benches = benches
        self.configuration = configuration
        self.hasZones = hasZones
        join = permits ? "permit" : "always"
        let scenario = """
            bluez: { supervision_timeout: \(supervision) }
            devices: { \(device): }
            hosts: { A: { rssi: { \(device): -50 } }, B: { rssi: { \(device): off } } }
            """
        let hosts = try Host.allCases.flatMap { host in
            ["--host", "\(host.name)=\(try #require(benches[host]).bus.address.description)"]
        }
        air = try Program(
            "tactile-simulator",
            ["air", "--json", "--scenario", try first.folder.write(scenario, to: "air.yaml")] + hosts)
        _ = try air.expect("the air is ready", within: .seconds(15)) { $0["event"] == "ready" }
        for host in Host.allCases {
            try startBridge(host)
            if permits {
                try first.expectOK("bridge/\(host.rawValue)/request/permit_join", #"{"seconds":120,"max":8}"#)
            }
        }
        try first.watcher.expect("\(device)/availability", within: .seconds(20), fromStart: true) {
            $0.payload == "online"
        }
        try expectHolder(device, .a, fromStart: true)
    }

    /// The bench with the broker and the client that watches all topics.
    var bench: Bench {
        guard let bench = benches[.a] else { preconditionFailure("there is A") }
        return bench
    }

    func bridge(_ host: Host) throws -> Program { try #require(benches[host]?.bridge) }

    func startBridge(_ host: Host) throws {
        let bench = try #require(benches[host])
        var environment = [
            "TACTILE_BRIDGE_BRIDGE_ID": host.rawValue, "TACTILE_BRIDGE_BLUETOOTH_JOIN": join,
        ]
        if hasZones { environment["TACTILE_BRIDGE_BRIDGE_ZONE"] = "zone-\(host.rawValue)" }
        try bench.startBridge(configuration: configuration, environment: environment)
        try bench.watcher.expect("bridge/\(host.rawValue)/availability", "online")
    }

    /// Waits until a host's bridge reports that it holds the device.
    @discardableResult
    func expectHolder(
        _ device: String, _ host: Host, within limit: Duration = .seconds(20), fromStart: Bool = false
    ) throws -> Watcher.Message {
        try bench.watcher.expect("\(device)/connection", within: limit, fromStart: fromStart) {
            $0.json["bridge"]?.string == host.rawValue && $0.json["state"] == "connected"
        }
    }

    /// Freezes or resumes a host with its bridge. A frozen host stands for one that lost power or its network.
    func setFrozen(_ isFrozen: Bool, _ host: Host) throws {
        try bridge(host).sendAlone(isFrozen ? SIGSTOP : SIGCONT)
        try air.type("host \(host.name) \(isFrozen ? "freeze" : "thaw")")
    }

    /// Moves a device out of range of one host and into range of the other.
    ///
    /// - Returns: How long the other bridge took to connect.
    @discardableResult
    func roam(_ device: String, to host: Host) throws -> Duration {
        let start = EventLoop.now
        try air.type("move \(device) \(host.name) -50 \(host.other.name) off")
        try expectHolder(device, host)
        return EventLoop.now - start
    }

    /// The payloads on a device's availability topic so far, starting with message number `count`.
    func availability(_ device: String, since count: Int) throws -> [String] {
        let marker = "marker/\(count)"
        try bench.publish(marker, "", ["-q", "1"])
        try bench.watcher.expect(marker)
        return bench.watcher.seen.dropFirst(count).filter { $0.topic == "\(device)/availability" }.map(
            \.payload)
    }

    /// The number of hand-overs that a test measures: more give a better median.
    static var rounds: Int { getenv("TACTILE_HANDOVERS").flatMap { Int(String(cString: $0)) } ?? 1 }
}
