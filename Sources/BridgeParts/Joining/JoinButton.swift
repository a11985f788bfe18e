package import Bluetooth

/// The devices listed next to Home Assistant's join button. A press of the button does not admit these devices, because
/// they may join only if the user permits their address or, if bonded, their family.
package struct JoinButton: Sendable {
    /// The maximum number of devices in the button's text.
    private static let capacity = 2

    private var entries: [(address: Address, text: String)] = []

    /// One text for each device, in the order in which the devices were discovered.
    package var texts: [String] { entries.map(\.text) }

    /// Adds a device.
    ///
    /// - Returns: Whether the texts changed. The other methods that change the texts return the same.
    package mutating func add(_ address: Address, _ text: String) -> Bool {
        guard entries.count < Self.capacity else { return false }
        entries.append((address, text))
        return true
    }

    package mutating func remove(_ address: Address) -> Bool {
        let count = entries.count
        entries.removeAll { $0.address == address }
        return entries.count < count
    }

    package mutating func clear() -> Bool {
        defer { entries = [] }
        return !entries.isEmpty
    }
}
