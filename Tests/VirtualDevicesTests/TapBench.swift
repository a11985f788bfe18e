import Bluetooth
import VirtualDevices

typealias TapBench = DeviceHarness<BenchTap>

enum BenchTap: HarnessDevice {
    static let name = "tap"
    static let address: Address = "D7:A9:E0:8C:17:6E"
    static let mtu = 247
    static let notifying = ["c3ff0005", "c3ff0006", "c3ff000a", "6e400003", "c3ff000e"]
    static var standard: VirtualTap.Choices { .init() }

    static func model(_ choices: VirtualTap.Choices) -> Scenario.Model { .tap(choices) }

    /// The first eight digits of the UUID, or its short form.
    static func name(_ id: CharacteristicID) -> String {
        id.uuid.short.map { Hex.string(UInt64($0), digits: 4) } ?? String(id.uuid.description.prefix(8))
    }

    static func text(_ report: DeviceReport) -> String? {
        switch report {
        case .vibrate(let isOn): "vibrate \(isOn)"
        case .other("key", let details): "key \(details["key"] ?? "")"
        case .other("pointer", let details): "pointer \(details["x"] ?? "") \(details["y"] ?? "")"
        case .other("mode", let details): "mode \(details["mode"] ?? "") by \(details["because"] ?? "")"
        case .other("unheard", let details): "unheard in \(details["mode"] ?? "")"
        case .other(let event, _): ["hurried", "rejected"].contains(event) ? event : nil
        default: nil
        }
    }
}

extension TapBench {
    static var command: String { "6e400002" }
    static var haptics: String { "c3ff0009" }
    static var frame: String { "c3ff000f" }

    /// Creates a TAP of a product with a client in controller mode.
    init(controlled model: VirtualTap.Choices.Model) {
        self.init(VirtualTap.Choices(model))
        _ = write(Self.command, "030C0001")
    }

    /// Creates a TapXR that supports only the framed protocol, with a client that has switched features on.
    static func framed(
        _ features: UInt8..., choose: (inout VirtualTap.Choices) -> Void = { _ in }
    ) -> TapBench {
        var choices = VirtualTap.Choices(.xr)
        choices.framed = .only
        choose(&choices)
        var bench = TapBench(choices)
        for feature in features { _ = bench.write(frame, "00000000\(Hex.string([feature]))01") }
        return bench
    }

    /// The raw frames within a duration, as bytes.
    mutating func frames(_ duration: Duration) -> [[UInt8]] {
        pass(duration).compactMap { happened in
            happened.what.hasPrefix("6e400003 ") ? Hex.bytes(happened.what.dropFirst(9)) : nil
        }
    }
}
