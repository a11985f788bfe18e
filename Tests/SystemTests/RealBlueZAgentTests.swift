import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "The pairing agent and the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZAgentTests {
    private static let (host, device) = ("02:B1:7E:00:00:00", "02:B1:7E:00:00:01")

    /// The devices of all tests have their adapter's address, so data saved for the previous device is removed first.
    init() {
        for (adapter, other) in [("hci0", Self.device), ("hci1", Self.host)] {
            _ = try? Self.call(
                "RemoveDevice", of: "Adapter1", at: adapter,
                "objpath:/org/bluez/\(adapter)/dev_\(Self.path(other))")
        }
    }

    @Test(
        "The bridge accepts a TAP that starts bonding itself or bonds again, and then releases the default agent"
    )
    func bonding() throws {
        let calls = try TestProcess([
            "dbus-monitor", "--system", "interface='org.bluez.AgentManager1'", "interface='org.bluez.Agent1'",
        ])
        let bench = try RealBench(
            scenario: "devices: { tap: { kind: tap, choices: { encryption: all } } }")
        let info = try bench.watcher.expect("bridge/test/info", within: .seconds(60)) {
            $0.json["adapters"]?.array?.isEmpty == false && $0.json["bluez"]?.string?.isEmpty == false
        }.json
        let host = try #require(
            info["adapters"]?.array?.first { $0["name"] == "hci0" }?["address"]?.string)

        // The bridge publishes advice on how this device joins; a window without an address does not admit it.
        try bench.publish("bridge/test/request/permit_join", "60")
        let found = try bench.watcher.expect("bridge/test/event", within: .seconds(60)) {
            $0.json["event"] == "device_discovered"
        }.json
        let address = try #require(found["address"]?.string)
        #expect(found["advice"]?.string?.hasSuffix(" -m \(address)") == true, "\(found)")

        try join(bench, address, as: "it starts to bond by itself") {
            // The TAP requests security as soon as it is connected; the answer does not matter.
            try bench.simulator.expect("its link", within: .seconds(60)) {
                $0["event"] == "link" && $0["connected"] == true
            }
            _ = try? Self.call("Pair", of: "Device1", at: "hci1/dev_\(Self.path(host))")
        }
        try expectDefault(calls)
        #expect(try Self.isPaired("hci0/dev_\(Self.path(address))"))

        #expect(try bench.ask("bridge/test/request/forget", Self.name(address))["status"] == "ok")
        _ = try? Self.call(
            "RemoveDevice", of: "Adapter1", at: "hci1", "objpath:/org/bluez/hci1/dev_\(Self.path(host))")
        try join(bench, address, as: "it bonds again") {}
        try expectDefault(calls)
        #expect(try Self.isPaired("hci0/dev_\(Self.path(address))"))
    }

    @Test("A belt that starts bonding while the bridge connects is bonded without a call of the bridge")
    func byItself() throws {
        let bench = try RealBench(
            scenario: "devices: { belt: { kind: belt, choices: { pairing: off, wait_signal: off } } }",
            configuration: "devices: { belt: { family: belt, address: \"02:B1:7E:00:00:01\" } }")
        try bench.simulator.expect("its link", within: .seconds(60)) {
            $0["event"] == "link" && $0["connected"] == true
        }
        let answer = try Self.call("Pair", of: "Device1", at: "hci1/dev_02_B1_7E_00_00_00")
        bench.note("it asked to bond: \(answer.split(separator: "\n").first ?? "")")
        #expect(try Self.isPaired("hci0/dev_02_B1_7E_00_00_01"))
        try bench.watcher.expect("belt/availability", "online", within: .seconds(60))
        while let line = bench.bridge.nextLine(within: .milliseconds(200)) {
            if line.contains("requests bonding") { print(line) }
            #expect(!line.contains("could not bond") && !line.contains(" bonded"), "\(line)")
        }
    }

    @Test("An impostor that is also a keyboard is disconnected, and the host keeps no bond with it")
    func impostor() throws {
        let bench = try RealBench(
            scenario: """
                devices:
                  belt: { kind: belt, also_has: ["1812"], choices: { pairing: anytime, wait_signal: off } }
                """)
        try bench.watcher.expect("bridge/test/info", within: .seconds(60)) {
            $0.json["bluez"]?.string?.isEmpty == false
        }
        let start = EventLoop.now
        try bench.publish("bridge/test/request/permit_join", "60")
        let left = try bench.watcher.expect("bridge/test/event", within: .seconds(60)) {
            $0.json["event"] == "device_left"
        }.json
        #expect(left["reason"]?.string?.contains("keyboard (service 1812)") == true)
        bench.note("the impostor is let go after \(EventLoop.now - start)")
        // Its bond is removed; in later advertisements it is a device without one.
        #expect((try? Self.isPaired("hci0/dev_02_B1_7E_00_00_01")) != true)
        #expect(!bench.watcher.seen.contains { $0.topic == "belt/availability" && $0.payload == "online" })
    }

    private func join(_ bench: RealBench, _ address: String, as what: String, _ meanwhile: () throws -> Void)
        throws
    {
        let start = EventLoop.now
        let answer = try bench.ask(
            "bridge/test/request/permit_join", #"{"seconds":120,"address":"\#(address)"}"#)
        #expect(answer["status"] == "ok" && answer["max"] == 1, "\(answer)")
        try meanwhile()
        let end = try bench.watcher.expect("bridge/test/event", within: .seconds(90)) {
            $0.json["event"] == "permit_join_ended" && $0.json["reason"] == "admitted"
        }.json
        #expect(end["devices"]?.array?.map { $0["address"] } == [.string(address)])
        bench.note("\(what): online after \(EventLoop.now - start)")
    }

    /// Waits until the bridge has become the default agent and has unregistered again.
    private func expectDefault(_ calls: TestProcess) throws {
        var open = ["member=RequestDefaultAgent", "member=UnregisterAgent", "member=RegisterAgent"][...]
        let end = EventLoop.now + .seconds(30)
        while let next = open.first {
            guard let line = calls.nextLine(within: end - EventLoop.now) else {
                throw Missing(what: next, seen: [])
            }
            // The simulator's agent serves another adapter, and never unregisters.
            if line.contains("interface=org.bluez.Agent1") { print("bluetoothd to an agent: \(line)") }
            if line.contains(next) { open.removeFirst() }
        }
    }

    @discardableResult
    private static func call(_ member: String, of interface: String, at path: String, _ arguments: String...)
        throws
        -> String
    {
        try TestProcess.run(
            [
                "dbus-send", "--system", "--print-reply", "--reply-timeout=20000", "--dest=org.bluez",
                "/org/bluez/\(path)", "org.bluez.\(interface).\(member)",
            ] + arguments)
    }

    private static func isPaired(_ path: String) throws -> Bool {
        try TestProcess.run([
            "dbus-send", "--system", "--print-reply", "--dest=org.bluez", "/org/bluez/\(path)",
            "org.freedesktop.DBus.Properties.Get", "string:org.bluez.Device1", "string:Paired",
        ]).contains("boolean true")
    }

    private static func path(_ address: String) -> String { String(address.map { $0 == ":" ? "_" : $0 }) }

    /// The default name of a TAP.
    private static func name(_ address: String) -> String {
        "tap/" + address.split(separator: ":").suffix(3).joined().lowercased()
    }
}
