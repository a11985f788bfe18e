/// Tells when all that the broker had in store for some subscriptions has arrived: a marker that is published behind
/// them has come back.
///
/// It holds for a broker that keeps the order of what it sends at QoS 0 to one client, as MQTT asks for one topic and
/// Mosquitto, NanoMQ and ejabberd do for all.
package struct StoredMessages<Key: Hashable & Sendable>: Sendable {
    /// Those whose subscription is not granted yet.
    private var asked: Set<Key> = []
    /// Those whose subscription is granted, without a marker behind it.
    private var granted: Set<Key> = []
    /// The marker that is under way, since when, and for which subscriptions it stands.
    private var marker: (value: String, sent: Duration, keys: Set<Key>)?

    /// After which time a marker counts as lost.
    private static var patience: Duration { .seconds(1) }

    package mutating func ask(_ key: Key) {
        asked.insert(key)
        granted.remove(key)
        marker?.keys.remove(key)
    }

    /// They are not wanted any more.
    package mutating func forget(_ key: Key) {
        asked.remove(key)
        granted.remove(key)
        marker?.keys.remove(key)
    }

    /// The subscription is granted: what is in store comes now.
    package mutating func grant(_ key: Key) { if asked.remove(key) != nil { granted.insert(key) } }

    /// Whether something that is in store may still arrive.
    package func isOpen(_ key: Key) -> Bool {
        asked.contains(key) || granted.contains(key) || marker?.keys.contains(key) ?? false
    }

    /// Whether a marker is to be published now.
    package func wantsMarker(at now: Duration) -> Bool {
        guard let marker else { return !granted.isEmpty }
        return now - marker.sent >= Self.patience
    }

    /// A marker was handed to the socket.
    package mutating func sent(_ value: String, at now: Duration) {
        let keys = granted.union(marker?.keys ?? [])
        guard !keys.isEmpty else { return }
        granted = []
        marker = (value, now, keys)
    }

    /// A marker came back.
    ///
    /// - Returns: Those of whom all that was in store has arrived.
    package mutating func returned(_ value: String) -> Set<Key> {
        guard let marker, marker.value == value else { return [] }
        self.marker = nil
        return marker.keys
    }
}
