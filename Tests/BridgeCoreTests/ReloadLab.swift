import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON

/// Shared values of reload tests: four addresses, and configurations that name them.
enum ReloadLab {
    static let addresses: [Address] = [
        "AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02", "AA:BB:CC:00:00:03", "AA:BB:CC:00:00:04",
    ]

    /// Returns a configuration of named devices, each with the address at its index. Addresses without a name are not
    /// configured.
    static func settings(
        _ names: [String?], join: BridgeSettings.JoinPolicy = .configured, greeting: String = "hello"
    ) -> BridgeSettings {
        var settings = BridgeSettings.empty(join: join)
        settings.devices = zip(names, addresses).compactMap { name, address in
            name.map { .init(name: $0, family: "sample", address: address, settings: ["greeting": "hello"]) }
        }
        settings.families = ["sample": ["greeting": .string(greeting)]]
        return settings
    }

    /// Runs a test with a bridge, a connected broker, and all devices in range.
    static func withDevices(
        _ settings: BridgeSettings, store: MemoryStore = MemoryStore(), _ body: (TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in
            let bench = lab.bridge(settings, store: store)
            bench.connectBroker()
            bench.hearAll()
            try body(bench)
        }
    }
}

extension TestBridge {
    /// Delivers advertisements of all devices.
    func hearAll() {
        for address in ReloadLab.addresses { hear(address) }
        time.advance(by: .milliseconds(500))
    }

    /// Reloads the bridge with other settings, and returns its answer.
    @discardableResult
    func reload(_ settings: BridgeSettings) -> JSON.Value? {
        configuration.set(ReloadedConfiguration(settings: settings))
        request("reload", "")
        hearAll()
        return broker.objects("bridge/attic/response/reload").last
    }
}
