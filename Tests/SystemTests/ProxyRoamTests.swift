import DBus
import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Devices that move between a Bluetooth proxy and an adapter of the host", .serialized)
struct ProxyRoamTests {
    private static let devices = """
          belt: { address: "C0:FF:EE:00:BE:01" }
          strap: { kind: file, file: \(ProxyBench.file("heart")), address: "C0:FF:EE:00:00:02" }
        """
    /// The time in which the next bridge of a fleet has a device, which `docs/guides/fleets.md` states.
    private static let limit = Duration.milliseconds(2500)

    @Test("A belt and a strap without a bond are connected over the other radio in time, and go back")
    func roam() throws {
        let it = try ProxyBench(
            devices: Self.devices,
            configuration: "devices: { anna: { family: heart, address: \"C0:FF:EE:00:00:02\" } }\n")
        let scenario = "devices:\n\(Self.devices)\nhosts: { A: { rssi: { belt: off, strap: off } } }\n"
        let host = try Program(
            "tactile-simulator",
            [
                "air", "--json", "--scenario", try it.bench.folder.write(scenario, to: "host.yaml"),
                "--host", "A=\(it.bench.bus.address.description)",
            ])
        try it.bench.watcher.expect("bridge/test/info", within: .seconds(20)) { message in
            message.json["adapters"]?.array?.contains { $0["name"] == "hci0" && $0["powered"] == true }
                == true
        }
        for name in ["belt", "anna"] { try it.expectOnline(name) }

        let short = #"{"channel":0,"motor":6,"iterations":1,"period_ms":500}"#
        for (name, device) in [("belt", "belt"), ("anna", "strap")] {
            try it.proxy.type("move \(device) proxy off")
            let left = EventLoop.now
            try it.proxy.type("drop \(device)")
            try host.type("move \(device) A -50")
            try it.expectOnline(name, over: "hci0", fromStart: false)
            try Self.check(EventLoop.now - left, "\(name), proxy to adapter")
        }
        try it.bench.expectOK("belt/vibrate/set", short)
        try host.expectMotors([6])
        // An adapter of the host also does what a proxy must not do.
        try it.bench.expectOK("belt/navigation/set", "90")
        try host.expectMotors([4])
        try host.type(#"strap rate {"rate":71}"#)
        try it.bench.watcher.expect("anna/rate", "71")

        for (name, device) in [("belt", "belt"), ("anna", "strap")] {
            try host.type("move \(device) A off")
            let left = EventLoop.now
            try host.type("drop \(device)")
            try it.proxy.type("move \(device) proxy -60")
            try it.expectOnline(name, fromStart: false)
            try Self.check(EventLoop.now - left, "\(name), adapter to proxy")
        }
        try it.bench.expectOK("belt/vibrate/set", short)
        try it.proxy.expectMotors([6])
        #expect(try it.bench.ask("belt/navigation/set", "90")["reason"] == "proxy")
        try it.proxy.type(#"strap rate {"rate":72}"#)
        try it.bench.watcher.expect("anna/rate", "72")
    }

    private static func check(_ time: Duration, _ what: String) throws {
        print("\(what): connected after \(FaultTable.text(time))")
        #expect(time < limit || TestProcess.isSanitized, "\(what)")
    }
}
