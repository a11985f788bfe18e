package import Bluetooth

/// The names that devices had. Commands that were under way to one of them are answered, and stops are obeyed by the
/// devices that had it.
package struct FormerNames: Sendable {
    /// How long a command may be under way.
    private static let underWay = Duration.seconds(60)

    private var ends: [String: Duration] = [:]
    /// With how many names it is looked for those that can be forgotten: as seldom as there are many of them.
    private var crowd = 32
    private var bearers: [String: Set<Address>] = [:]
    private var names: [Address: Set<String>] = [:]

    package init() {}

    // MARK: Commands under way

    /// Notes that a device loses a name under which this bridge spoke for it: the broker passes commands on until it
    /// takes note of the end of the subscription.
    package mutating func lose(_ name: String, at now: Duration) { ends[name] = now + Self.underWay }

    /// Forgets the names to which no command can be under way any more.
    package mutating func expire(at now: Duration) {
        guard ends.count >= crowd else { return }
        ends = ends.filter { $0.value > now }
        crowd = max(32, 2 * ends.count)
    }

    /// Whether a command to a name may have been sent while a device of this bridge had it.
    package func mayBeUnderWay(to name: String, at now: Duration) -> Bool {
        ends[name].map { now < $0 } ?? false
    }

    // MARK: Stops

    /// Has a device obey stops under names that it had.
    package mutating func add(_ former: some Sequence<String>, of address: Address) {
        for name in former {
            bearers[name, default: []].insert(address)
            names[address, default: []].insert(name)
        }
    }

    /// Has a device obey them no more.
    package mutating func remove(_ address: Address) {
        for name in names.removeValue(forKey: address) ?? [] { remove(bearer: address, of: name) }
    }

    /// A device has a name again that it had formerly.
    package mutating func remove(_ name: String, of address: Address) {
        names[address]?.remove(name)
        remove(bearer: address, of: name)
    }

    private mutating func remove(bearer address: Address, of name: String) {
        bearers[name]?.remove(address)
        if bearers[name]?.isEmpty ?? false { bearers[name] = nil }
    }

    /// The names that a device had, in order.
    package func names(of address: Address) -> [String] { names[address]?.sorted() ?? [] }

    /// The devices that had a name, in order.
    package func bearers(of name: String) -> [Address] { bearers[name]?.sorted() ?? [] }

    /// Whether a stop to a name may be covered by the subscriptions of two devices, or of one device under its name and
    /// its former one: Mosquitto sends it once for each.
    package func mayComeTwice(to name: String, at now: Duration) -> Bool {
        hasBearers(of: name) || mayBeUnderWay(to: name, at: now)
    }

    /// Whether a device had a name.
    package func hasBearers(of name: String) -> Bool { bearers[name] != nil }
}
