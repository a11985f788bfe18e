import Bluetooth

/// Limits the rate of notifications, because bluetoothd disconnects a client whose signals it cannot forward in time.
/// The type has no clock and performs no I/O.
struct Pacer: Sendable {
    /// A notification that waits to be sent.
    struct Item: Hashable, Sendable {
        var device: String
        var id: CharacteristicID
        var bytes: [UInt8]
    }

    /// The minimum interval between two notifications.
    static let pause = Duration.milliseconds(1)
    /// The maximum number of waiting notifications. If there are more, the oldest are dropped, as on a real radio link.
    static let limit = 10_000

    private var waiting: [Item] = []
    private var first = 0
    private var isPausing = false

    /// Whether the next item may be sent immediately.
    var isIdle: Bool { !isPausing }

    /// Adds a notification.
    mutating func add(_ item: Item) {
        waiting.append(item)
        if waiting.count - first > Self.limit { first += 1 }
        compact()
    }

    /// Returns the next notification and starts a pause; nil if none waits.
    mutating func next() -> Item? {
        guard first < waiting.count else { return nil }
        isPausing = true
        defer {
            first += 1
            compact()
        }
        return waiting[first]
    }

    /// Records the end of the pause.
    mutating func pauseEnded() { isPausing = false }

    /// Drops the waiting notifications of a disconnected device.
    mutating func forget(_ device: String) {
        waiting = waiting[first...].filter { $0.device != device }
        first = 0
    }

    private mutating func compact() {
        guard first > 1000 else { return }
        waiting.removeFirst(first)
        first = 0
    }
}
