import EventLoop
import Glibc
import HostTesting
import Testing

extension Fault {
    static let brokerPackets: [Fault] = [
        Fault(
            .broker, "sends a packet with a property that MQTT 5 does not define, while a belt vibrates",
            holds:
                "libmosquitto aborts the process; the guardian silences the belt, and the service restarts",
            counted: "the packet … silence", within: .seconds(5)
        ) { try unknownProperty() }
    ]

    /// A DISCONNECT packet with the reason code 0x82 and the unknown property 0x7F.
    private static let unknownPropertyPacket: [UInt8] = [0xE0, 4, 0x82, 2, 0x7F, 0]

    static func unknownProperty() throws -> Duration {
        let bench = try Bench()
        try bench.startSimulator(scenario: belt)
        let simulator = try #require(bench.simulator)
        let relay = try TCPRelay(to: bench.broker.port)
        defer { relay.end() }
        let environment = ["TACTILE_BRIDGE_MQTT_PORT": "\(relay.port)"]
        let bridge = try bench.startBridge(environment: environment)
        try bench.watcher.expect("belt/availability", "online")
        try bench.expectOK("belt/mode/set", "app")
        try bench.expectOK("belt/vibrate/set", "90")
        try simulator.expectMotors([4])
        let start = EventLoop.now
        relay.inject(unknownPropertyPacket)
        try simulator.expectMotors([])
        let time = EventLoop.now - start
        // `Restart=on-failure` in the unit restarts the service after an end by a signal.
        #expect(bridge.wait() == 128 + SIGABRT)
        try bench.watcher.expect("bridge/test/availability", "offline")
        try bench.startBridge(environment: environment)
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        return time
    }
}
