import Glibc
import HostTesting
import JSON
import Testing

@Suite("Two bridges with one Bluetooth proxy", .serialized)
struct ProxyFleetTests {
    private static let belt =
        "  belt: { address: \"C0:FF:EE:00:BE:01\", choices: { wait_signal: off } }"

    /// Waits until a bridge reports about its proxy.
    @discardableResult
    private static func expectProxy(
        _ bridge: String, _ watcher: Watcher, _ condition: (JSON.Value) -> Bool
    ) throws -> JSON.Value {
        func proxy(_ message: Watcher.Message) -> JSON.Value {
            message.json["adapters"]?.array?.first ?? .null
        }
        return proxy(
            try watcher.expect("bridge/\(bridge)/info", within: .seconds(30)) { condition(proxy($0)) })
    }

    @Test(
        "The second bridge leaves the proxy to the first one, and takes it over after `kill -9`",
        arguments: [
            "2026.6", "2026.10",
        ])
    func takeOver(firmware: String) throws {
        let it = try ProxyBench(devices: Self.belt, options: ["--firmware", firmware])
        let (bench, watcher) = (it.bench, it.bench.watcher)
        try it.expectOnline("belt")
        let settings = ProxyBench.settings(port: it.port)
        let second = try bench.startSecondBridge(configuration: settings)
        let proxy = try Self.expectProxy("second", watcher) { $0["held_by"] == "bridge test" }
        #expect(proxy["powered"] == false)
        #expect(proxy["problem"]?.string?.hasPrefix("the bridge test uses the proxy") == true)
        let (findings, _) = try DoctorTests.run(
            bench, ["doctor", "--json", "--config", bench.folder.file("second.yaml")],
            ["TACTILE_BRIDGE_BRIDGE_ID": "second"])
        #expect(
            findings.contains {
                $0["verdict"] == "ok"
                    && $0["summary"]?.string?.hasPrefix("proxy/kitchen: the bridge test uses the proxy")
                        ?? false
            }, "\(findings)")
        let command = #"{"channel":0,"motor":6,"iterations":1,"period_ms":500}"#
        try bench.expectOK("belt/vibrate/set", command)

        try bench.endBridge(with: SIGKILL)
        try Self.expectProxy("second", watcher) { $0["powered"] == true && $0["held_by"] == .null }
        try watcher.expectHolder("belt", "second")
        // The first bridge returns, and the second one keeps the proxy.
        try bench.startBridge(configuration: settings)
        try Self.expectProxy("test", watcher) { $0["held_by"] == "bridge second" }
        try bench.expectOK("belt/vibrate/set", command)
        second.send(SIGTERM)
        #expect(second.wait() == 0)
        try Self.expectProxy("test", watcher) { $0["powered"] == true }
        #expect(
            !watcher.seen.contains { $0.topic.hasSuffix("/info") && $0.payload.contains("another client") })
    }
}
