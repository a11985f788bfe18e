/// The subscriptions on this connection to the broker: which are granted, and of which all that the broker had in store
/// has arrived.
package struct Subscriptions: Sendable {
    /// What is asked of the broker's store.
    package enum Key: Hashable, Sendable {
        /// What bridges say of themselves.
        case peers
        /// Which bridges have which devices.
        case holders
        /// What the fleet knows of its devices.
        case roster
    }

    private var granted: Set<String> = []
    private var stored = StoredMessages<Key>()
    /// Whether a marker is sent at the end of this round.
    private var isMarkerWanted = false

    /// Notes that the connection is new, or gone: no subscription counts any more.
    package mutating func reset() { granted = [] }

    /// Notes that the broker granted a subscription.
    package mutating func grant(_ filter: String) { granted.insert(filter) }

    /// Notes that the broker refused a subscription.
    package mutating func refuse(_ filter: String) { granted.remove(filter) }

    /// The subscriptions that are not granted, of these.
    package func missing(of filters: [String]) -> [String] { filters.filter { !granted.contains($0) } }

    // MARK: What the broker has in store

    /// Asks for all that the broker has in store of other bridges and of devices.
    package mutating func askForStore() {
        stored = StoredMessages()
        stored.ask(.peers)
        stored.ask(.holders)
    }

    /// Asks for what the fleet knows of its devices.
    package mutating func askForRoster() { stored.ask(.roster) }

    /// Ends subscriptions.
    package mutating func forget(_ filters: [String]) { granted.subtract(filters) }

    /// Notes that what is in store comes now; a subscription that is refused gives nothing to wait for.
    package mutating func arrives(_ key: Key) { stored.grant(key) }

    /// The broker refuses it: there is nothing to wait for.
    package mutating func giveUp(_ key: Key) { stored.forget(key) }

    /// Whether all has arrived that the broker had in store of bridges and the holders of devices.
    package var isComplete: Bool { !stored.isOpen(.peers) && !stored.isOpen(.holders) }

    /// Asks for a marker, once for all subscriptions that are answered in one round.
    ///
    /// - Returns: Whether ``takeMarker(at:)`` is to be called at the end of the round.
    package mutating func wantMarker(at now: Duration) -> Bool {
        guard !isMarkerWanted, stored.wantsMarker(at: now) else { return false }
        isMarkerWanted = true
        return true
    }

    /// Whether a marker is to be sent now: an echo behind the subscriptions.
    package mutating func takeMarker(at now: Duration) -> Bool {
        isMarkerWanted = false
        return stored.wantsMarker(at: now)
    }

    /// Notes that an echo was handed to the socket.
    package mutating func sent(_ echo: String, at now: Duration) { stored.sent(echo, at: now) }

    /// Notes that an echo came back.
    ///
    /// - Returns: The keys of which all that was in store has arrived.
    package mutating func returned(_ echo: String) -> Set<Key> { stored.returned(echo) }
}
