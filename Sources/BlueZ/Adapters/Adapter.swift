public import Bluetooth
package import DBus

/// A Bluetooth controller of the host.
public struct Adapter: Hashable, Sendable {
    /// The name: `hci0`.
    public let name: String
    /// The address, if BlueZ reports it.
    public var address: Bluetooth.Address?
    /// The name that the user gave the adapter.
    public var alias: String?
    /// Whether the adapter is switched on.
    public var isPowered = false
    /// Whether discovery runs, for this program or for another program.
    public var isDiscovering = false
    /// BlueZ's version from the adapter's `Modalias`: `5.66`.
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

    /// Reads BlueZ's version from an adapter's `Modalias`, unless bluetoothd's configuration replaces it: vendor 1D6B
    /// (Linux Foundation), product 0246 (BlueZ), and version `d0542` for 5.66.
    package static func version(ofModalias modalias: String) -> String? {
        let prefix = "usb:v1D6Bp0246d"
        guard modalias.hasPrefix(prefix) else { return nil }
        let digits = modalias.dropFirst(prefix.count).prefix(4)
        guard digits.count == 4, let number = UInt16(digits, radix: 16) else { return nil }
        let minor = number & 0xFF
        return "\(number >> 8).\(minor < 10 ? "0" : "")\(minor)"
    }
}
