package import Bluetooth

/// Collects the changes of the roster that this bridge must apply, and the entries that it must write.
package struct RosterDesk: Sendable {
    /// What this bridge must do with an entry on the broker: write it or clear it.
    package enum Wish: Hashable, Sendable { case write, clear }

    /// How long a new device in range waits for the roster after the broker is connected.
    package static let patience = Duration.seconds(2)

    package var roster = Roster()
    private var changed: Set<Address> = []
    private var areGroupsNew = false
    /// What to do with each device's entry on the broker, once all retained messages have arrived.
    private var wishes: [Address: Wish] = [:]
    /// The topics on which this bridge published a roster message that the broker has not sent back yet.
    private var written: Set<String> = []
    private var isDue = false
    private var deadline: Duration?
    private var hasToldRefusal = false

    package init() {}

    // MARK: Connection

    /// Records a new broker connection, on which the roster is requested.
    package mutating func connected(at now: Duration) {
        roster.connected()
        deadline = now + Self.patience
        hasToldRefusal = false
    }

    /// Records that the broker refuses to send or accept the roster.
    ///
    /// - Returns: Whether to report the refusal; true once per connection.
    package mutating func refused() -> Bool {
        deadline = nil
        defer { hasToldRefusal = true }
        return !hasToldRefusal
    }

    /// Whether new devices must wait, because the messages of the roster are still arriving and may list these devices.
    package func isArriving(at now: Duration) -> Bool {
        !roster.isSettled && (deadline.map { now < $0 } ?? false)
    }

    /// Whether retained entries may still arrive, or changes wait to be applied.
    package func isPending(at now: Duration) -> Bool { isDue || isArriving(at: now) }

    // MARK: Changes

    /// Records the change that a message made.
    ///
    /// - Returns: Whether to schedule one application of all changes of this turn of the event loop.
    package mutating func note(_ change: Roster.Change) -> Bool {
        switch change {
        case .device(let address): changed.insert(address)
        case .groups: areGroupsNew = true
        case .nothing, .refused: return false
        }
        return wantsApplying()
    }

    /// Records that all retained messages have arrived.
    ///
    /// - Returns: Whether to schedule an application of the changes.
    package mutating func settle() -> Bool {
        if roster.settle() { areGroupsNew = true }
        return wantsApplying()
    }

    private mutating func wantsApplying() -> Bool {
        guard roster.isSettled, !isDue else { return false }
        isDue = true
        return true
    }

    /// Returns the changes to be applied and clears them. Devices whose entry this bridge is about to write are
    /// omitted.
    package mutating func takeChanges() -> (devices: [Address], groups: Bool) {
        defer { (changed, areGroupsNew, isDue) = ([], false, false) }
        return (changed.filter { wishes[$0] == nil }.sorted(), areGroupsNew)
    }

    // MARK: Writing

    /// Requests that this bridge writes or clears a device's entry on the broker.
    package mutating func wish(_ wish: Wish, for address: Address) { wishes[address] = wish }

    /// Returns the entries to be written now, and clears the list.
    package mutating func takeWishes() -> [(address: Address, wish: Wish)] {
        guard roster.isSettled else { return [] }
        defer { wishes = [:] }
        return wishes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Records that this bridge published a message on a topic of the roster.
    package mutating func wrote(_ topic: String) { written.insert(topic) }

    /// Records that the broker sent a message on a topic of the roster.
    ///
    /// - Returns: Whether this bridge wrote the message, so that the broker connection must not publish it again after
    ///   a reconnect.
    package mutating func came(_ topic: String) -> Bool { written.remove(topic) != nil }
}
