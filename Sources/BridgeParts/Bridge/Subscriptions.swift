/// The subscriptions on this broker connection: which are granted, and whose retained messages have all arrived.
package struct Subscriptions: Sendable {
    /// A group of retained messages that the bridge waits for.
    package enum Key: Hashable, Sendable {
        /// The retained `availability` and `info` of other bridges.
        case peers
        /// The retained claims of all bridges on devices.
        case holders
        /// The retained entries of the roster.
        case roster
    }

    private var granted: Set<String> = []
    private var stored = StoredMessages<Key>()
    /// Whether a marker is sent at the end of this turn of the event loop. A marker is an echo that is published after
    /// the subscriptions.
    private var isMarkerWanted = false

    /// Records that the broker connection is new or lost. No subscription is granted.
    package mutating func reset() { granted = [] }

    package mutating func grant(_ filter: String) { granted.insert(filter) }

    package mutating func refuse(_ filter: String) { granted.remove(filter) }

    /// The given subscriptions that are not granted.
    package func missing(of filters: [String]) -> [String] { filters.filter { !granted.contains($0) } }

    // MARK: Retained messages

    /// Starts to wait for the retained status of other bridges and the retained claims on devices.
    package mutating func askForStore() {
        stored = StoredMessages()
        stored.ask(.peers)
        stored.ask(.holders)
    }

    /// Starts to wait for the roster.
    package mutating func askForRoster() { stored.ask(.roster) }

    /// Records that the bridge unsubscribes from these filters.
    package mutating func forget(_ filters: [String]) { granted.subtract(filters) }

    /// Records that a subscription is granted and its retained messages arrive next.
    package mutating func arrives(_ key: Key) { stored.grant(key) }

    /// Stops the wait for retained messages whose subscription the broker refused.
    package mutating func remove(_ key: Key) { stored.forget(key) }

    /// Whether all retained messages of bridges and claims have arrived.
    package var isComplete: Bool { !stored.isOpen(.peers) && !stored.isOpen(.holders) }

    /// Requests a marker (an echo whose return shows that all retained messages have arrived), once for all
    /// subscriptions that the broker grants in one turn of the event loop.
    ///
    /// - Returns: Whether to call ``takeMarker(at:)`` at the end of the turn.
    package mutating func wantMarker(at now: Duration) -> Bool {
        guard !isMarkerWanted, stored.wantsMarker(at: now) else { return false }
        isMarkerWanted = true
        return true
    }

    /// Whether to send the marker now that ``wantMarker(at:)`` requested.
    package mutating func takeMarker(at now: Duration) -> Bool {
        isMarkerWanted = false
        return stored.wantsMarker(at: now)
    }

    /// Records that an echo, which may be a marker, was written to the socket.
    package mutating func sent(_ echo: String, at now: Duration) { stored.sent(echo, at: now) }

    /// Records that an echo, which may be a marker, returned.
    ///
    /// - Returns: The keys whose retained messages have all arrived.
    package mutating func returned(_ echo: String) -> Set<Key> { stored.returned(echo) }
}
