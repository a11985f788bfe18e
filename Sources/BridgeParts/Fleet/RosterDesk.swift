package import Bluetooth

/// What the bridge does with the roster: what has changed and is to be applied, and what is to be written.
package struct RosterDesk: Sendable {
    /// What this bridge wants of an entry.
    package enum Wish: Hashable, Sendable { case write, clear }

    /// How long a device that is heard waits for the roster after the connection to the broker.
    package static let patience = Duration.seconds(2)

    package var roster = Roster()
    private var changed: Set<Address> = []
    private var areGroupsNew = false
    /// What is to be written when all that the broker has in store has arrived.
    private var wishes: [Address: Wish] = [:]
    /// The topics that were written, and have not come back.
    private var written: Set<String> = []
    private var isDue = false
    private var deadline: Duration?
    private var hasToldRefusal = false

    package init() {}

    // MARK: The connection

    /// The connection to the broker is new; the roster is asked for.
    package mutating func connected(at now: Duration) {
        roster.connected()
        deadline = now + Self.patience
        hasToldRefusal = false
    }

    /// The broker does not give, or take, the roster.
    ///
    /// - Returns: Whether that is to be told.
    package mutating func refused() -> Bool {
        deadline = nil
        defer { hasToldRefusal = true }
        return !hasToldRefusal
    }

    /// Whether a device that nobody knows waits, since the roster may name it.
    package func isArriving(at now: Duration) -> Bool {
        !roster.isSettled && (deadline.map { now < $0 } ?? false)
    }

    // MARK: Changes

    /// Notes what a message changed.
    ///
    /// - Returns: Whether it is to be applied soon, of all changes of a round once.
    package mutating func note(_ change: Roster.Change) -> Bool {
        switch change {
        case .device(let address): changed.insert(address)
        case .groups: areGroupsNew = true
        case .nothing, .refused: return false
        }
        return wantsApplying()
    }

    /// All that was in store has arrived.
    ///
    /// - Returns: Whether it is to be applied soon.
    package mutating func settle() -> Bool {
        if roster.settle() { areGroupsNew = true }
        return wantsApplying()
    }

    private mutating func wantsApplying() -> Bool {
        guard roster.isSettled, !isDue else { return false }
        isDue = true
        return true
    }

    /// Takes what is to be applied: devices for which this bridge wishes something else are left out.
    package mutating func takeChanges() -> (devices: [Address], groups: Bool) {
        defer { (changed, areGroupsNew, isDue) = ([], false, false) }
        return (changed.filter { wishes[$0] == nil }.sorted(), areGroupsNew)
    }

    // MARK: Writing

    /// Wishes to write or to clear an entry.
    package mutating func wish(_ wish: Wish, for address: Address) { wishes[address] = wish }

    /// Takes what is to be written now.
    package mutating func takeWishes() -> [(address: Address, wish: Wish)] {
        guard roster.isSettled else { return [] }
        defer { wishes = [:] }
        return wishes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Notes that a topic was written.
    package mutating func wrote(_ topic: String) { written.insert(topic) }

    /// Notes that a message came on a topic.
    ///
    /// - Returns: Whether it is that of a topic that this bridge wrote, which is not to be said again then.
    package mutating func came(_ topic: String) -> Bool { written.remove(topic) != nil }
}
