package import Bluetooth

/// The former names of devices. Commands in transit to a former name are answered. Stops to a former name are obeyed
/// by the devices that had it.
package struct FormerNames: Sendable {
    /// The maximum time that a command is in transit from its sender to this bridge.
    private static let underWay = Duration.seconds(60)

    private var ends: [String: Duration] = [:]
    /// The number of names at which expired names are removed. This limit grows with the number of names that remain
    /// afterwards.
    private var purgeThreshold = 32
    private var addresses: [String: Set<Address>] = [:]
    private var names: [Address: Set<String>] = [:]

    package init() {}

    // MARK: Commands in transit

    /// Records that a device loses a name for which this bridge was subscribed. The broker forwards commands until it
    /// has processed the unsubscribe.
    package mutating func lose(_ name: String, at now: Duration) { ends[name] = now + Self.underWay }

    /// Forgets the names to which no command can be in transit.
    package mutating func expire(at now: Duration) {
        guard ends.count >= purgeThreshold else { return }
        ends = ends.filter { $0.value > now }
        purgeThreshold = max(32, 2 * ends.count)
    }

    /// Whether a command to a name may have been sent while a device of this bridge had it.
    package func mayBeUnderWay(to name: String, at now: Duration) -> Bool {
        ends[name].map { now < $0 } ?? false
    }

    // MARK: Stops

    /// Makes a device obey stops under its former names.
    package mutating func add(_ former: some Sequence<String>, of address: Address) {
        for name in former {
            addresses[name, default: []].insert(address)
            names[address, default: []].insert(name)
        }
    }

    /// Removes all former names of a device, so that it no longer obeys stops under them.
    package mutating func remove(_ address: Address) {
        for name in names.removeValue(forKey: address) ?? [] { remove(bearer: address, of: name) }
    }

    /// Removes a single former name, because the device has it again.
    package mutating func remove(_ name: String, of address: Address) {
        names[address]?.remove(name)
        remove(bearer: address, of: name)
    }

    private mutating func remove(bearer address: Address, of name: String) {
        addresses[name]?.remove(address)
        if addresses[name]?.isEmpty ?? false { addresses[name] = nil }
    }

    /// The former names of a device, sorted.
    package func names(of address: Address) -> [String] { names[address]?.sorted() ?? [] }

    /// The devices that had a name formerly, sorted.
    package func addresses(of name: String) -> [Address] { addresses[name]?.sorted() ?? [] }

    /// Whether a stop to a name may match the subscriptions of two devices, or of one device under its current and its
    /// former name. Mosquitto then sends one copy of the stop per subscription.
    package func mayComeTwice(to name: String, at now: Duration) -> Bool {
        hasAddresses(of: name) || mayBeUnderWay(to: name, at: now)
    }

    package func hasAddresses(of name: String) -> Bool { addresses[name] != nil }
}
