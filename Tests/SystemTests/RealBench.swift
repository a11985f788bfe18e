import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// The programs inside the virtual machine with the real BlueZ: bluetoothd, the broker, the simulator, the
/// bridge and a watcher. The bridge uses the adapter `hci0`; the devices of a scenario use `hci1`, `hci2`, … in order.
final class RealBench {
    /// Whether the tests run in the virtual machine with real BlueZ; `Tests/RealBlueZ/run` sets it.
    static let isThere = getenv("REALBLUEZ") != nil
    /// The reason why a suite is skipped elsewhere.
    static let remark: Comment = "runs in the virtual machine: Tests/RealBlueZ/run"

    let folder: TemporaryDirectory
    let broker: TestBroker
    private(set) var watcher: Watcher
    private(set) var simulator: Program
    private(set) var bridge: Program
    private var scenario: String
    private let adapters: Int
    private let configuration: String
    private let begin = EventLoop.now
    private var daemon: TestProcess?
    /// The folder of the virtual machine's logs, if the environment requests them.
    private static let logs = "/run/realbluez/logs"
    private var kernelFall: String?

    /// Starts all programs.
    ///
    /// - Parameters:
    ///   - adapters: The number of adapters with devices, from `hci1` on.
    ///   - hosts: The adapters that the bridge may use.
    init(
        scenario: String, adapters: Int = 1, hosts: String = "hci0", configuration: String = ""
    ) throws {
        // Emulation is slow, and so is a machine that runs other programs too.
        TestProcess.allow(seconds: 1200)
        self.scenario = scenario
        self.adapters = adapters
        self.configuration = "bluetooth: { adapters: [\(hosts)] }\n" + configuration
        folder = try TemporaryDirectory()
        broker = try TestBroker()
        watcher = try Watcher(broker, isThere: true)
        simulator = try Self.startSimulator(folder, scenario, adapters)
        bridge = try Self.startBridge(folder, broker, self.configuration)
    }

    private static func startBridge(
        _ folder: TemporaryDirectory, _ broker: TestBroker, _ configuration: String
    ) throws -> Program {
        let file = try folder.write(configuration, to: "bridge.yaml")
        // A bridge with an invalid configuration exits at once, but its log is read only after a wait.
        try TestProcess.run(["\(Program.folder)/tactile-bridge", "check-config", "--config", file])
        return try Program(
            "tactile-bridge", ["run", "--config", file, "--log-level", "debug"],
            environment: [
                "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)",
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": folder.file("state"),
            ], transcript: "\(logs)/bridge.log")
    }

    /// Starts another bridge after the previous one has ended.
    func startBridge() throws { bridge = try Self.startBridge(folder, broker, configuration) }

    private static func startSimulator(
        _ folder: TemporaryDirectory, _ scenario: String, _ adapters: Int
    ) throws -> Program {
        let file = try folder.write(scenario, to: "scenario.yaml")
        let program = try Program(
            "tactile-simulator",
            (1...adapters).flatMap { ["--adapter", "hci\($0)"] } + ["--json", "--scenario", file],
            transcript: "\(logs)/simulator.log")
        _ = try program.expect("the simulator is ready", within: .seconds(60)) { $0["event"] == "ready" }
        return program
    }

    /// Prints a measurement or a step, with the time since the bench started.
    func note(_ text: String) {
        let seconds = Double(Int((EventLoop.now - begin) / .milliseconds(1))) / 1000
        print("real BlueZ, at \(seconds) s: \(text)")
    }

    /// Prints the last unread lines of the bridge and the simulator.
    func printLogs() {
        for (name, program) in [("bridge", bridge), ("simulator", simulator)] {
            var lines: [String] = []
            while let line = program.nextLine(within: .milliseconds(100)) { lines.append(line) }
            print("\(name), the last of \(lines.count) lines that were not read:")
            print(lines.suffix(150).joined(separator: "\n"))
        }
    }

    func publish(_ topic: String, _ payload: String) throws {
        try TestProcess.run(["mosquitto_pub"] + broker.arguments + ["-t", topic, "-m", payload])
    }

    /// Sends a request with `mosquitto_rr`, as a user does in a shell, and returns the answer.
    func ask(_ topic: String, _ payload: String) throws -> JSON.Value {
        let text = try TestProcess.run(
            ["mosquitto_rr", "-V", "5", "-W", "20"] + broker.arguments
                + ["-t", topic, "-e", "answer/\(UInt32.random(in: 0...UInt32.max))", "-m", payload])
        return try JSON.Value(parsing: text.utf8)
    }

    /// Replaces the watcher by a new client, which receives the retained messages first.
    func watchAnew() throws { watcher = try Watcher(broker, isThere: true) }

    /// Controls an adapter's radio with `drop`, `mute`, `unmute`, `rssi` or `stats`; returns the answer.
    ///
    /// Uses the socket of `vcontrollers.py` instead of its command: on an emulated processor Python needs
    /// seconds to start, and longer with a wrapper script.
    @discardableResult
    func radio(_ words: String...) throws -> String {
        let line = words.joined(separator: " ")
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/run/vcontrollers.sock".utf8) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        let bytes = Array((line + "\n").utf8)
        guard isConnected, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Missing(what: "the controllers, which are to \(line)", seen: [])
        }
        var answer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &answer, answer.count)
        let text = String(decoding: answer.prefix(max(count, 0)), as: UTF8.self)
        guard text.hasPrefix("ok") else {
            throw Missing(what: "the controllers to \(line)", seen: [text])
        }
        return text
    }

    /// Kills bluetoothd and the devices, starts them again, and returns the time from then until a device was
    /// back; nil if ``survivesKill(_:)`` returns false.
    func restartDaemon(until name: String) throws -> Duration? {
        try killDaemon()
        if watcher.seen.last(where: { $0.topic == "\(name)/availability" })?.payload == "online" {
            try watcher.expect("\(name)/availability", "offline", within: .seconds(20))
        }
        try startDaemon()
        let start = EventLoop.now
        guard
            try survivesKill({
                try watcher.expect("\(name)/availability", "online", within: .seconds(40))
            })
        else { return nil }
        return EventLoop.now - start
    }

    /// Runs the steps after bluetoothd was killed; returns false, at most once, if the kernel itself failed.
    ///
    /// This occurred in 2 of 60 runs with Debian's Linux 6.1.192. A new bluetoothd closed a socket of the
    /// killed one's connection, and met a corrupt list in `hci_chan_del`. That ended it, and nothing starts
    /// it again here.
    func survivesKill(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let missing as Missing {
            guard kernelFall == nil, let fall = try Self.lastKernelFall() else { throw missing }
            kernelFall = fall
            note("the kernel fell, and bluetoothd with it: \(fall)")
            return false
        }
    }

    private static func lastKernelFall() throws -> String? {
        try TestProcess.run(["dmesg"]).split(separator: "\n").last { $0.contains("kernel BUG at") }
            .map(String.init)
    }

    /// Kills bluetoothd, and by default the devices, which depend on it.
    func killDaemon(withDevices: Bool = true) throws {
        if let daemon {
            daemon.end(with: SIGKILL)
        } else {
            try TestProcess.run(["sh", "-c", "kill -KILL $(cat /run/realbluez/bluetoothd.pid)"])
        }
        if withDevices { simulator.end(with: SIGKILL) }
    }

    /// Starts bluetoothd again, and by default the devices.
    func startDaemon(withDevices: Bool = true) throws {
        daemon = try TestProcess([
            "/run/realbluez/bluetoothd", "--nodetach", "--configfile=/run/realbluez/main.conf",
        ])
        if withDevices { simulator = try Self.startSimulator(folder, scenario, adapters) }
    }

    /// Stops the devices; returns when they have disconnected and no longer advertise.
    func endDevices() { simulator.end(with: SIGTERM) }

    /// Starts the devices of another scenario.
    func startDevices(scenario: String) throws {
        self.scenario = scenario
        simulator = try Self.startSimulator(folder, scenario, adapters)
    }

    /// The version of bluetoothd as in an adapter's `Modalias`, 0x0542 for 5.66, and whether a program acquired
    /// notifications.
    func acquisition() throws -> (version: Int, isAcquired: Bool) {
        let objects = try TestProcess.run([
            "dbus-send", "--system", "--print-reply", "--dest=org.bluez", "/",
            "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
        ]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let version = objects.firstRange(of: "\"usb:v1D6Bp0246d").flatMap {
            Int(objects[$0.upperBound...].prefix(4), radix: 16)
        }
        return (
            try #require(version, "no adapter states bluetoothd's version"),
            objects.contains("\"NotifyAcquired\" variant boolean true")
        )
    }

    /// Waits until an adapter's controller has no connection, whatever bluetoothd and the devices report.
    func expectNoLinks(_ adapter: String, within limit: Duration) throws {
        let end = EventLoop.now + limit
        var last = ""
        while EventLoop.now < end {
            last = try radio("stats", adapter)
            if last.hasPrefix("ok links 0 ") { return }
            _ = poll(nil, 0, 20)
        }
        throw Missing(what: "the end of all links of hci\(adapter)", seen: [last])
    }
}
