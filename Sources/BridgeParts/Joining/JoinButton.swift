package import Bluetooth

/// The devices that stand beside Home Assistant's button that permits to join: the button alone does not admit them.
package struct JoinButton: Sendable {
    /// How many devices the button's text has room for.
    private static let capacity = 2

    private var entries: [(address: Address, text: String)] = []

    /// The texts, in the order in which the devices were heard.
    package var texts: [String] { entries.map(\.text) }

    /// Adds a device.
    ///
    /// - Returns: Whether the texts changed; so for the other changes.
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
