import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON

/// What tests of a reload share: four places, and configurations that give names to them.
enum ReloadLab {
    static let addresses: [Address] = [
        "AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02", "AA:BB:CC:00:00:03", "AA:BB:CC:00:00:04",
    ]

    /// A configuration of devices by name, each with the address of its place; places without a name are free.
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

    /// A bridge with the broker, and all devices heard.
    static func withDevices(
        _ settings: BridgeSettings, store: MemoryStore = MemoryStore(), _ body: (Bench) throws -> Void
    ) rethrows {
        try withLab { lab in
            let bench = lab.bridge(settings, store: store)
            bench.connectBroker()
            bench.hearAll()
            try body(bench)
        }
    }
}

extension Bench {
    /// Lets all devices be heard.
    func hearAll() {
        for address in ReloadLab.addresses { hear(address) }
        time.advance(by: .milliseconds(500))
    }

    /// Lets the bridge read other settings, and returns its answer.
    @discardableResult
    func reload(_ settings: BridgeSettings) -> JSON.Value? {
        configuration.set(ReloadedConfiguration(settings: settings))
        request("reload", "")
        hearAll()
        return broker.objects("bridge/attic/response/reload").last
    }
}
