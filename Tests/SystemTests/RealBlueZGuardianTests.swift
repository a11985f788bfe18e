import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "The guardian through the distribution's bluetoothd", .serialized,
    .enabled(if: getenv("REALBLUEZ") != nil, "runs in the virtual machine: Tests/RealBlueZ/run"))
struct GuardianRealBlueZTests {
    @Test(
        "kill -9 of the bridge at full speed: the robot stops within 500 ms, without power and disconnected"
    )
    func killed() throws {
        let stage = try RobotOnBlueZ()
        try stage.race()
        let start = EventLoop.now
        stage.bridge.end(with: SIGKILL)
        try stage.robot.expectWheels(turning: false, within: .seconds(20))
        let time = EventLoop.now - start
        try stage.expectClosedLink()
        print("real BlueZ, kill -9: wheels stand after \(time), link closed after \(EventLoop.now - start)")
        #expect(time < .milliseconds(500))
        #expect(stage.guardian.ends)
        stage.end()
    }

    @Test(
        "The network from the broker stalls: the robot stops, and ignores commands sent in the meantime"
    )
    func stalledNetwork() throws {
        let stage = try RobotOnBlueZ { try TCPRelay(to: $0) }
        let relay = try #require(stage.relay)
        defer { relay.end() }
        try stage.race(lease: 5000)
        let start = EventLoop.now
        relay.set(.stalled(.toClients))
        try stage.robot.expectWheels(turning: false, within: .seconds(20))
        let time = EventLoop.now - start
        print("real BlueZ, stalled network: wheels stand after \(time)")
        #expect(time < .milliseconds(3500))
        for _ in 0..<5 { try stage.publish("robot/drive/set", #"{"speed":1,"duration_ms":5000}"#) }
        relay.set(.faithful)
        try stage.watcher.expect("robot/status", within: .seconds(20)) {
            $0.json["stopped_by"] == "path_lost"
        }
        let end = EventLoop.now + .seconds(1)
        while let report = stage.robot.nextReport(within: end - EventLoop.now) {
            #expect(report["event"] != "wheels", "\(report)")
        }
        stage.end()
    }

    @Test(
        "bluetoothd suspended for 5 s during the wills: the robot stops when it resumes",
        arguments: [SIGKILL, SIGSTOP])
    func daemonStopped(_ signal: CInt) throws {
        let stage = try RobotOnBlueZ()
        try stage.race()
        let daemon = Other(pid: try #require(RobotOnBlueZ.daemon))
        daemon.signal(SIGSTOP)
        stage.bridge.send(signal)
        let end = EventLoop.now + .seconds(5)
        while stage.robot.nextReport(within: end - EventLoop.now) != nil {}
        daemon.signal(SIGCONT)
        let start = EventLoop.now
        try stage.robot.expectWheels(turning: false, within: .seconds(20))
        let time = EventLoop.now - start
        print("real BlueZ, bluetoothd stopped, signal \(signal): wheels stand \(time) after it goes on")
        #expect(time < .seconds(3))
        if signal == SIGKILL {
            try stage.expectClosedLink()
            #expect(stage.guardian.ends)
        } else {
            stage.bridge.send(SIGCONT)
            try stage.watcher.expect("robot/status", within: .seconds(20)) { $0.json["moving"] == false }
            stage.bridge.end(with: SIGTERM)
        }
        stage.end()
    }
}

/// A robot on the distribution's bluetoothd, a bridge, its guardian, and a watcher of all topics.
private struct RobotOnBlueZ {
    let folder: TemporaryDirectory
    let started: TestProcess?
    let broker: TestBroker
    let relay: TCPRelay?
    let watcher: Watcher
    let robot: Program
    let bridge: Program
    let guardian: Other

    /// - Parameter relay: Creates a relay between the bridge and the broker for the broker's port; nil for none.
    init(through makeRelay: (UInt16) throws -> TCPRelay? = { _ in nil }) throws {
        folder = try TemporaryDirectory()
        started = try Self.startDaemonIfAbsent()
        broker = try TestBroker()
        relay = try makeRelay(broker.port)
        watcher = try Watcher(broker, isThere: true)
        let scenario = try folder.write("devices: { robot: }\n", to: "scenario.yaml")
        robot = try Program("tactile-simulator", ["--adapter", "hci1", "--json", "--scenario", scenario])
        try robot.expect("the simulator is ready", within: .seconds(60)) { $0["event"] == "ready" }
        let file = try folder.write(
            "bluetooth: { adapters: [hci0], join: always }\nrobot: { max_path_delay_ms: 2000, max_lease_ms: 5000 }\n",
            to: "bridge.yaml")
        bridge = try Program(
            "tactile-bridge", ["run", "--config", file],
            environment: [
                "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                "TACTILE_BRIDGE_MQTT_PORT": "\(relay?.port ?? broker.port)",
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": folder.file("state"),
            ])
        guardian = try bridge.expectGuardian(within: .seconds(20))
        try watcher.expect("robot/availability", "online", within: .seconds(90))
    }

    func publish(_ topic: String, _ payload: String) throws {
        try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", payload])
    }

    /// Drives at full speed, for the longest lease of one command.
    func race(lease: Int = 2000) throws {
        try Watcher.expectOpenRobot(broker, within: .seconds(60))
        try publish("robot/power/set", "on")
        try watcher.expect("robot/status", within: .seconds(20)) { $0.json["power"] == true }
        try publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":\#(lease)}"#)
        try robot.expectWheels(turning: true, within: .seconds(10))
    }

    func expectClosedLink() throws {
        try robot.expect("the link is closed", within: .seconds(20)) {
            $0["event"] == "link" && $0["connected"] == false
        }
    }

    func end() {
        robot.end(with: SIGTERM)
        started?.end(with: SIGTERM)
    }

    /// The process identifier of bluetoothd; nil if it does not run.
    static var daemon: pid_t? {
        let text = try? TestProcess.run(["sh", "-c", "pidof bluetoothd || true"])
        return text?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    /// Another test may have ended an earlier bluetoothd.
    private static func startDaemonIfAbsent() throws -> TestProcess? {
        guard daemon == nil else { return nil }
        return try TestProcess([
            "/run/realbluez/bluetoothd", "--nodetach", "--configfile=/run/realbluez/main.conf",
        ])
    }
}
