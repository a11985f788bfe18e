import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

/// The parts of the real thing inside the virtual machine: bluetoothd with the adapters `hci0` for the bridge
/// and `hci1`, `hci2`, … for the devices of a scenario, in its order; the broker, the simulator, and who
/// watches.
final class RealBench {
    /// Whether this runs in the virtual machine with real BlueZ; `Tests/RealBlueZ/run` sets it.
    static let isThere = getenv("REALBLUEZ") != nil
    /// Why a suite is left out elsewhere.
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
    /// Where the machine keeps its logs, if the environment asks for them.
    private static let logs = "/run/realbluez/logs"
    private var kernelFall: String?

    /// Starts everything.
    ///
    /// - Parameters:
    ///   - adapters: On how many adapters there are devices, from `hci1` on.
    ///   - hosts: The adapters that the bridge may use.
    init(
        scenario: String, adapters: Int = 1, hosts: String = "hci0", configuration: String = ""
    ) throws {
        // What is emulated takes its time, and so does a machine that does other things too.
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
        // A bridge that refuses its configuration ends at once; nobody reads its log until a wait is over.
        try TestProcess.run(["\(Program.folder)/tactile-bridge", "check-config", "--config", file])
        return try Program(
            "tactile-bridge", ["run", "--config", file, "--log-level", "debug"],
            environment: [
                "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)",
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": folder.file("state"),
            ], transcript: "\(logs)/bridge.log")
    }

    /// Starts another bridge in the place of the one that has ended.
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

    /// Prints a figure or a step, with the time since the bench began.
    func note(_ text: String) {
        let seconds = Double(Int((EventLoop.now - begin) / .milliseconds(1))) / 1000
        print("real BlueZ, at \(seconds) s: \(text)")
    }

    /// Prints what the bridge and the simulator said last, which nobody has read yet.
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

    /// Asks and waits for the answer, as a user does at a shell with `mosquitto_rr`.
    func ask(_ topic: String, _ payload: String) throws -> JSON.Value {
        let text = try TestProcess.run(
            ["mosquitto_rr", "-V", "5", "-W", "20"] + broker.arguments
                + ["-t", topic, "-e", "answer/\(UInt32.random(in: 0...UInt32.max))", "-m", payload])
        return try JSON.Value(parsing: text.utf8)
    }

    /// Watches anew, as a client that comes later: what is retained comes first.
    func watchAnew() throws { watcher = try Watcher(broker, isThere: true) }

    /// Does something to an adapter's radio: `drop`, `mute`, `unmute`, `rssi`, `stats`; returns the answer.
    ///
    /// Over the socket of `vcontrollers.py` and not by its command: where the processor is emulated Python
    /// needs seconds to start, and more behind a wrapper script.
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

    /// Kills bluetoothd and the devices, starts them again and returns how long after that a device was back;
    /// nil as ``survivesKill(_:)`` says.
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

    /// Does what follows on the kill of a bluetoothd; false, once, if the kernel itself fell over it.
    ///
    /// That was seen in 2 of 60 returns with Debian's Linux 6.1.192: a corrupt list in `hci_chan_del`, met
    /// when a bluetoothd that had found the killed one's link closed a socket, ended that bluetoothd, and
    /// nothing starts it again here.
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

    /// Kills bluetoothd, and the devices, which need it too, unless they are to wait for its return.
    func killDaemon(withDevices: Bool = true) throws {
        if let daemon {
            daemon.end(with: SIGKILL)
        } else {
            try TestProcess.run(["sh", "-c", "kill -KILL $(cat /run/realbluez/bluetoothd.pid)"])
        }
        if withDevices { simulator.end(with: SIGKILL) }
    }

    /// Starts bluetoothd again, and the devices.
    func startDaemon(withDevices: Bool = true) throws {
        daemon = try TestProcess([
            "/usr/libexec/bluetooth/bluetoothd", "--nodetach", "--configfile=/run/realbluez/main.conf",
        ])
        if withDevices { simulator = try Self.startSimulator(folder, scenario, adapters) }
    }

    /// Ends the devices; returns when they have closed their links and left the air.
    func endDevices() { simulator.end(with: SIGTERM) }

    /// Starts the devices again, as another scenario has them.
    func startDevices(scenario: String) throws {
        self.scenario = scenario
        simulator = try Self.startSimulator(folder, scenario, adapters)
    }

    /// Waits until an adapter's controller has no link left, whatever bluetoothd and the devices think.
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
