public import Bluetooth
package import DBus

/// Describes one Bluetooth controller of the host.
public struct Adapter: Hashable, Sendable {
    /// Its name: `hci0`.
    public let name: String
    /// Its address, where BlueZ tells it.
    public var address: Bluetooth.Address?
    /// The name that a person gave it.
    public var alias: String?
    /// Whether it is switched on.
    public var isPowered = false
    /// Whether it looks for devices, for this program or for another.
    public var isDiscovering = false
    /// BlueZ's version as the adapter's own device record tells it: `5.66`.
    public var version: String?

    package let path: ObjectPath

    package init(path: ObjectPath, properties: [String: Value] = [:]) {
        self.path = path
        name = path.name
        apply(properties)
    }

    package mutating func apply(_ properties: [String: Value]) {
        if let text = properties["Address"]?.string { address = Bluetooth.Address(text) }
        if let text = properties["Alias"]?.string { alias = text }
        if let truth = properties["Powered"]?.bool { isPowered = truth }
        if let truth = properties["Discovering"]?.bool { isDiscovering = truth }
        if let text = properties["Modalias"]?.string { version = Self.version(ofModalias: text) }
    }

    /// Reads the version out of the device record that bluetoothd gives its adapters unless it is configured
    /// otherwise: vendor 1D6B (Linux Foundation), product 0246 (BlueZ), and as version `d0542` for 5.66.
    package static func version(ofModalias modalias: String) -> String? {
        let prefix = "usb:v1D6Bp0246d"
        guard modalias.hasPrefix(prefix) else { return nil }
        let digits = modalias.dropFirst(prefix.count).prefix(4)
        guard digits.count == 4, let number = UInt16(digits, radix: 16) else { return nil }
        let minor = number & 0xFF
        return "\(number >> 8).\(minor < 10 ? "0" : "")\(minor)"
    }
}
