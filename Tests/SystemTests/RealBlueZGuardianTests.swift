import BridgeTesting
import EventLoop
import Glibc
import JSON
import Testing

@Suite(
    "The guardian through the distribution's bluetoothd", .serialized,
    .enabled(if: getenv("REALBLUEZ") != nil, "runs in the virtual machine: Tests/RealBlueZ/run"))
struct GuardianRealBlueZTests {
    @Test(
        "kill -9 of the bridge at full speed: the robot stands within 500 ms, and loses its power and its link"
    )
    func killed() throws {
        let folder = try TemporaryDirectory()
        let daemon = try Self.startDaemonIfAbsent()
        defer { daemon?.end(with: SIGTERM) }
        let broker = try TestBroker()
        let watcher = try Watcher(broker, isThere: true)
        let scenario = try folder.write("devices: { robot: }\n", to: "scenario.yaml")
        let robot = try Program("tactile-simulator", ["--adapter", "hci1", "--json", "--scenario", scenario])
        try robot.expect("the simulator is ready", within: .seconds(60)) { $0["event"] == "ready" }
        let file = try folder.write("bluetooth: { adapters: [hci0], join: always }\n", to: "bridge.yaml")
        let bridge = try Program(
            "tactile-bridge", ["run", "--config", file],
            environment: [
                "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)",
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": folder.file("state"),
            ])
        let guardian = try bridge.expectGuardian(within: .seconds(20))
        try watcher.expect("robot/availability", "online", within: .seconds(90))
        func publish(_ topic: String, _ payload: String) throws {
            try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", payload])
        }
        try publish("robot/power/set", "on")
        try watcher.expect("robot/status", within: .seconds(20)) { $0.json["power"] == true }
        try publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":2000}"#)
        try robot.expectWheels(turning: true, within: .seconds(10))

        let start = EventLoop.now
        bridge.end(with: SIGKILL)
        try robot.expectWheels(turning: false, within: .seconds(20))
        let time = EventLoop.now - start
        try robot.expect("the link is closed", within: .seconds(20)) {
            $0["event"] == "link" && $0["connected"] == false
        }
        print("real BlueZ, kill -9: wheels stand after \(time), link closed after \(EventLoop.now - start)")
        #expect(time < .milliseconds(500))
        #expect(guardian.ends)
        robot.end(with: SIGTERM)
    }

    /// Another test may have ended the one that was there.
    private static func startDaemonIfAbsent() throws -> TestProcess? {
        let isThere = try TestProcess.run(["sh", "-c", "pidof bluetoothd >/dev/null && echo yes || echo no"])
        guard isThere.contains("no") else { return nil }
        return try TestProcess([
            "/usr/libexec/bluetooth/bluetoothd", "--nodetach", "--configfile=/run/realbluez/main.conf",
        ])
    }
}
