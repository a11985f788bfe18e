import DBus
import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The bridge on a bus that allows nothing but its policy file", .serialized)
struct BusPolicyTests {
    /// The policy of a system bus as Debian configures it, with the rights of bluetoothd and the installed
    /// policy. The user in the installed policy is the user who runs the test.
    ///
    /// - Parameter dropping: The attribute of a rule that is removed from the installed policy.
    private static func policy(dropping attribute: String? = nil) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/systemd/tactile-bridge.dbus.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "<policy user=\"tactile-bridge\">"))
        let end = try #require(text.range(of: "</policy>"))
        let rules = text[start.upperBound..<end.lowerBound].split(separator: "\n").filter { line in
            attribute.map { !line.contains($0) } ?? true
        }
        return """
            <policy context="default">
              <deny own="*"/>
              <deny send_type="method_call"/>
              <allow send_type="signal"/>
              <allow send_requested_reply="true" send_type="method_return"/>
              <allow send_requested_reply="true" send_type="error"/>
              <allow receive_type="method_call"/>
              <allow receive_type="method_return"/>
              <allow receive_type="error"/>
              <allow receive_type="signal"/>
              <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
            </policy>
            <policy context="default">
              <allow own="org.bluez"/>
              <allow send_interface="org.bluez.Agent1"/>
            </policy>
            <policy user="\(getuid())">
            \(rules.joined(separator: "\n"))
            </policy>
            """
    }

    @Test("Joining, pairing, commands, forgetting and the guardian's last writes need nothing more")
    func enough() throws {
        let bench = try Bench(busPolicy: try Self.policy())
        try bench.startSimulator()
        try bench.startBridge()
        try bench.watcher.expectAll(
            ["belt/availability": "online", "robot/availability": "online"], within: .seconds(20))
        let pulse = try bench.ask("belt/intensity/set", "60")
        #expect(pulse["status"] == "ok")
        for (request, payload) in [("disconnect", "belt"), ("connect", "belt"), ("forget", "belt")] {
            let answer = try bench.ask("bridge/test/request/\(request)", payload)
            #expect(answer["status"] == "ok", "\(request): \(answer)")
        }
        try bench.expectOpenRobot()
        #expect(try bench.ask("robot/power/set", "on")["status"] == "ok")
        #expect(
            try bench.ask("robot/drive/set", #"{"direction":0,"speed":1,"duration_ms":2000}"#)["status"]
                == "ok")
        let simulator = try #require(bench.simulator)
        try simulator.expect("motion") { $0["event"]?.string == "wheels" && $0["left_front"] != 0 }
        try bench.endBridge(with: SIGKILL)
        try simulator.expect("the guardian stops the wheels") {
            $0["event"]?.string == "wheels" && $0["left_front"] == 0
        }
    }

    @Test(
        "The policy allows nothing else of BlueZ",
        arguments: [
            ("org.bluez", "/org/bluez/hci0", "org.bluez.LEAdvertisingManager1", "RegisterAdvertisement"),
            ("org.bluez", "/org/bluez/hci0", "org.bluez.NetworkServer1", "Register"),
            ("org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "ConnectDevice"),
            ("org.bluez", "/org/bluez/hci0/dev_C0_FF_EE_00_BE_01", "org.bluez.Device1", "ConnectProfile"),
            ("org.bluez", "/org/bluez/hci0", "org.freedesktop.DBus.Introspectable", "Introspect"),
        ])
    func noMore(_ service: String, _ path: String, _ interface: String, _ member: String) async throws {
        let bench = try Bench(brokerRuns: false, busPolicy: try Self.policy())
        try bench.startSimulator()
        let loop = try EventLoop.start(name: "policy")
        let connection = try await Connection.open(bench.bus.address, loop: loop)
        let error = await #expect(throws: DBusError.self) {
            _ = try await connection.call(member, of: interface, at: ObjectPath(path), on: service)
        }
        #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied", "\(String(describing: error))")
        await connection.close()
        loop.stop()
    }

    @Test("The policy allows to own the names of adapters and no others; without its rule it allows none")
    func names() async throws {
        let loop = try EventLoop.start(name: "policy")
        let adapter = "org.tactilebridge.Adapter.A001122334455"
        for (policy, isAllowed) in [
            (try Self.policy(), true), (try Self.policy(dropping: "own_prefix"), false),
        ] {
            let bus = try PrivateBus(policy: policy)
            let connection = try await Connection.open(bus.address, loop: loop)
            for (name, isAdapters) in [
                (adapter, true), ("\(adapter).Battic", true), ("org.tactilebridge.AdapterX", false),
                ("org.tactilebridge.Other", false),
            ] {
                var result: NameRequestResult?
                do { result = try await connection.requestName(name) } catch let error as DBusError {
                    #expect(error.name == "org.freedesktop.DBus.Error.AccessDenied")
                }
                #expect((result == .primaryOwner) == (isAllowed && isAdapters), "\(name)")
            }
            await connection.close()
        }
        loop.stop()
    }

    @Test("Where the policy forbids adapter names, the bridge logs it once and works without a lease")
    func noNames() throws {
        let bench = try Bench(busPolicy: try Self.policy(dropping: "own_prefix"))
        try bench.startSimulator(scenario: Fault.belt)
        let bridge = try bench.startBridge()
        try bridge.expectLine("the bus does not allow this user to own adapter names")
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        for _ in 1...2 {
            try bench.act("adapter remove")
            try bench.watcher.expect("belt/availability", "offline")
            try bench.act("adapter add")
            try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        }
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        while let line = bridge.nextLine(within: .seconds(1)) {
            #expect(!line.contains("does not let this user own"), "\(line)")
        }
    }

    @Test("Where the policy forbids adapter names, the bridge still waits for the program that holds one")
    func waitsWithoutNames() async throws {
        let bench = try Bench()
        try bench.startSimulator(scenario: Fault.belt)
        let loop = try EventLoop.start(name: "policy")
        let other = try await Connection.open(bench.bus.address, loop: loop)
        // The address of the simulator's first adapter.
        let adapter = "org.tactilebridge.Adapter.A02B17E000000"
        #expect(try await other.requestName(adapter) == .primaryOwner)
        try bench.bus.setPolicy(try Self.policy(dropping: "own_prefix"))
        let name = "org.freedesktop.DBus"
        _ = try await other.call("ReloadConfig", of: name, at: "/org/freedesktop/DBus", on: name)

        let bridge = try bench.startBridge()
        let line = try bridge.expectLine("another program uses the adapter")
        #expect(line.contains("process \(getpid()),"), "\(line)")
        await other.close()
        loop.stop()
        try bridge.expectLine("adapter is ready")
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
    }
}
