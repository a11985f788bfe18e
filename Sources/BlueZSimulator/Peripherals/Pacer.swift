import Bluetooth

/// Spaces notifications out, since bluetoothd drops a client whose signals it cannot pass on in time; pure.
struct Pacer: Sendable {
    /// A notification that waits.
    struct Item: Hashable, Sendable {
        var device: String
        var id: CharacteristicID
        var bytes: [UInt8]
    }

    /// The time between two of them.
    static let pause = Duration.milliseconds(1)
    /// How many may wait; then the oldest are lost, as over the air.
    static let limit = 10_000

    private var waiting: [Item] = []
    private var first = 0
    private var isPausing = false

    /// Whether the next item may go at once.
    var isIdle: Bool { !isPausing }

    /// Adds a notification.
    mutating func add(_ item: Item) {
        waiting.append(item)
        if waiting.count - first > Self.limit { first += 1 }
        compact()
    }

    /// Returns the next notification, after which a pause begins; nil if none waits.
    mutating func next() -> Item? {
        guard first < waiting.count else { return nil }
        isPausing = true
        defer {
            first += 1
            compact()
        }
        return waiting[first]
    }

    /// Takes it that the pause is over.
    mutating func pauseEnded() { isPausing = false }

    /// Drops what waits for a device whose link is gone.
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
