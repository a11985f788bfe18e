import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

/// A bench whose devices are behind a simulated Bluetooth proxy. The host has no BlueZ.
final class ProxyBench {
    static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    let bench: Bench
    let port: UInt16
    let proxy: Program
    /// The network between the bridge and the proxy; nil if they are connected directly.
    let relay: TCPRelay?

    /// Starts the proxy and the bridge, and waits until the bridge uses the proxy.
    ///
    /// - Parameters:
    ///   - devices: The devices of the scenario.
    ///   - configuration: Additional lines of the bridge's configuration.
    ///   - options: Additional options of the proxy.
    init(
        devices: String, configuration: String = "", options: [String] = [], isRelayed: Bool = false
    ) throws {
        bench = try Bench()
        port = try TestBroker.freePort()
        let scenario = try bench.folder.write("devices:\n\(devices)\n", to: "proxy.yaml")
        proxy = try Self.startProxy(scenario, port: port, options: ["--key", Self.key] + options)
        relay = isRelayed ? try TCPRelay(to: port) : nil
        try bench.startBridge(configuration: Self.settings(port: relay?.port ?? port) + configuration)
        try expectAdapter(isUsed: true)
    }

    deinit { relay?.end() }

    /// Starts a proxy with a scenario file.
    static func startProxy(_ scenario: String, port: UInt16, options: [String]) throws -> Program {
        let proxy = try Program(
            "tactile-simulator",
            ["proxy", "--json", "--scenario", scenario, "--listen", "127.0.0.1:\(port)"] + options)
        try proxy.expect("the proxy is ready", within: .seconds(15)) { $0["event"] == "ready" }
        return proxy
    }

    /// The bridge's settings of the proxy.
    static func settings(port: UInt16, key: String = key) -> String {
        "bluetooth: { proxies: [{ name: kitchen, host: 127.0.0.1, port: \(port), key: \"\(key)\" }] }\n"
    }

    /// The path of a shipped device file.
    static func file(_ name: String) -> String { "\(root)/config/devices/\(name).yaml" }

    /// Waits until the bridge reports whether it uses the proxy, and returns the proxy's entry in `info`.
    @discardableResult
    func expectAdapter(isUsed: Bool, within limit: Duration = .seconds(20)) throws -> JSON.Value {
        func entry(_ message: Watcher.Message) -> JSON.Value? {
            message.json["adapters"]?.array?.first { $0["name"] == "proxy/kitchen" }
        }
        let message = try bench.watcher.expect("bridge/test/info", within: limit, fromStart: isUsed) {
            guard let entry = entry($0) else { return false }
            return entry["powered"]?.bool == isUsed && (!isUsed || entry["slots"]?.integer != nil)
        }
        return try #require(entry(message))
    }

    /// Waits until a device is online over the proxy, or another adapter.
    func expectOnline(
        _ name: String, over adapter: String = "proxy/kitchen", within limit: Duration = .seconds(20),
        fromStart: Bool = true
    ) throws {
        try bench.watcher.expect("\(name)/connection", within: limit, fromStart: fromStart) {
            $0.json["state"] == "connected" && $0.json["bluetooth_adapter"]?.string == adapter
        }
    }

    /// Waits until the proxy is no longer connected to a device.
    func expectLinkEnd(_ device: String, within limit: Duration = .seconds(5)) throws {
        try proxy.expect("the link of \(device) ends", within: limit) {
            $0["event"] == "link" && $0["device"]?.string == device && $0["connected"] == false
        }
    }
}
