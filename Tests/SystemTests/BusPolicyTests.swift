import BridgeTesting
import DBus
import EventLoop
import Foundation
import Glibc
import JSON
import Testing

@Suite("The bridge on a bus that allows nothing but its policy file", .serialized)
struct BusPolicyTests {
    /// A system bus as Debian configures it, with what bluetoothd may do, and the installed policy, whose user is the
    /// one of the test.
    private static func policy() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/systemd/tactile-bridge.dbus.conf")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "<policy user=\"tactile-bridge\">"))
        let end = try #require(text.range(of: "</policy>"))
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
            \(text[start.upperBound..<end.upperBound])
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
        "Nothing else of BlueZ is allowed",
        arguments: [
            ("org.bluez", "/org/bluez/hci0", "org.bluez.LEAdvertisingManager1", "RegisterAdvertisement"),
            ("org.bluez", "/org/bluez/hci0", "org.bluez.NetworkServer1", "Register"),
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
}
