/// Detects when all retained messages of some subscriptions have arrived: a marker that was published after the
/// subscriptions has returned.
///
/// This requires a broker that keeps the order of the messages that it sends to one client at QoS 0. MQTT requires
/// this per topic; Mosquitto, NanoMQ and ejabberd keep it across topics.
package struct StoredMessages<Key: Hashable & Sendable>: Sendable {
    /// The keys whose subscription is not granted yet. A key stands for a group of retained messages.
    private var asked: Set<Key> = []
    /// The keys whose subscription is granted and that no marker covers yet.
    private var granted: Set<Key> = []
    /// The marker that has not returned yet, when it was sent, and the keys whose messages have arrived once it
    /// returns.
    private var marker: (value: String, sent: Duration, keys: Set<Key>)?

    /// The time after which a marker counts as lost.
    private static var patience: Duration { .seconds(1) }

    package mutating func ask(_ key: Key) {
        asked.insert(key)
        granted.remove(key)
        marker?.keys.remove(key)
    }

    /// Stops waiting for the retained messages that a key stands for.
    package mutating func forget(_ key: Key) {
        asked.remove(key)
        granted.remove(key)
        marker?.keys.remove(key)
    }

    /// Records that the subscription is granted. The retained messages arrive next.
    package mutating func grant(_ key: Key) { if asked.remove(key) != nil { granted.insert(key) } }

    /// Whether retained messages for a key may still arrive.
    package func isOpen(_ key: Key) -> Bool {
        asked.contains(key) || granted.contains(key) || marker?.keys.contains(key) ?? false
    }

    /// Whether to publish a marker now, because no marker covers a granted subscription yet, or the last marker is
    /// lost.
    package func wantsMarker(at now: Duration) -> Bool {
        guard let marker else { return !granted.isEmpty }
        return now - marker.sent >= Self.patience
    }

    /// Records that a marker was written to the socket. It covers the subscriptions that are granted now.
    package mutating func sent(_ value: String, at now: Duration) {
        let keys = granted.union(marker?.keys ?? [])
        guard !keys.isEmpty else { return }
        granted = []
        marker = (value, now, keys)
    }

    /// Records that a marker returned.
    ///
    /// - Returns: The keys whose retained messages have all arrived.
    package mutating func returned(_ value: String) -> Set<Key> {
        guard let marker, marker.value == value else { return [] }
        self.marker = nil
        return marker.keys
    }
}
