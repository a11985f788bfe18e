import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// Two hosts, each with a bus and a bridge of its own, at one broker, and one set of devices between them.
final class AirBench {
    /// One of the two hosts.
    enum Host: String, CaseIterable, Sendable {
        case a, b

        var other: Host { self == .a ? .b : .a }
        /// Its name, as the air calls it.
        var name: String { rawValue.uppercased() }
    }

    private let benches: [Host: Bench]
    let air: Program
    private let configuration: String
    private let join: String

    /// Starts everything; the devices are near A and out of reach of B.
    ///
    /// - Parameters:
    ///   - device: The family of the one device, whose name it is too.
    ///   - supervision: After what silence a link is lost.
    ///   - permits: Whether a person lets the device in; else the bridges take whatever they find.
    init(
        _ device: String, supervision: String = "420ms", configuration: String = "", permits: Bool = false
    ) throws {
        let first = try Bench()
        let benches: [Host: Bench] = [.a: first, .b: try Bench(besides: first)]
        self.benches = benches
        self.configuration = configuration
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

    /// The broker, and the client that watches all topics.
    var bench: Bench {
        guard let bench = benches[.a] else { preconditionFailure("there is A") }
        return bench
    }

    func bridge(_ host: Host) throws -> Program { try #require(benches[host]?.bridge) }

    func startBridge(_ host: Host) throws {
        let bench = try #require(benches[host])
        try bench.startBridge(
            configuration: configuration,
            environment: [
                "TACTILE_BRIDGE_BRIDGE_ID": host.rawValue, "TACTILE_BRIDGE_BLUETOOTH_JOIN": join,
            ])
        try bench.watcher.expect("bridge/\(host.rawValue)/availability", "online")
    }

    /// Waits until the bridge of a host says that it has the device.
    @discardableResult
    func expectHolder(
        _ device: String, _ host: Host, within limit: Duration = .seconds(20), fromStart: Bool = false
    ) throws -> Watcher.Message {
        try bench.watcher.expect("\(device)/connection", within: limit, fromStart: fromStart) {
            $0.json["bridge"]?.string == host.rawValue && $0.json["state"] == "connected"
        }
    }

    /// Lets a host stand still with its bridge, as one does whose power or cable is gone, or go on.
    func setFrozen(_ isFrozen: Bool, _ host: Host) throws {
        try bridge(host).sendAlone(isFrozen ? SIGSTOP : SIGCONT)
        try air.type("host \(host.name) \(isFrozen ? "freeze" : "thaw")")
    }

    /// Takes a device away from one host and near the other; returns how long that one's bridge took to have it.
    @discardableResult
    func roam(_ device: String, to host: Host) throws -> Duration {
        let start = EventLoop.now
        try air.type("move \(device) \(host.name) -50 \(host.other.name) off")
        try expectHolder(device, host)
        return EventLoop.now - start
    }

    /// What the availability topic of a device said until now, from a message on.
    func availability(_ device: String, since count: Int) throws -> [String] {
        let marker = "marker/\(count)"
        try bench.publish(marker, "", ["-q", "1"])
        try bench.watcher.expect(marker)
        return bench.watcher.seen.dropFirst(count).filter { $0.topic == "\(device)/availability" }.map(
            \.payload)
    }

    /// How often a hand-over is tried: more give a better median.
    static var rounds: Int { getenv("TACTILE_HANDOVERS").flatMap { Int(String(cString: $0)) } ?? 1 }
}
