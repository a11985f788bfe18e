import DBus
import EventLoop

/// The state of the connection to the bus and to bluetoothd; belongs to the loop's thread.
struct ServiceState {
    enum Phase {
        /// The client is not connected to the bus, or bluetoothd is not on the bus.
        case away(reason: String)
        /// The client has requested bluetoothd's objects, and queues signals until the answer arrives.
        case loading(owner: String, early: [ObjectSignal], awayReason: String)
        case serving(owner: String)
    }

    /// The D-Bus connection, with the signal subscriptions that end with it.
    struct Bus {
        let connection: Connection
        var subscriptions: [DBus.Subscription] = []
    }

    var bus: Bus?
    private(set) var phase: Phase
    /// The number of times that bluetoothd has left the bus. A delayed answer belongs to a lower number and is ignored.
    private(set) var life: UInt64 = 0
    private var retry: LoopTimer?

    init(awayReason: String) { phase = .away(reason: awayReason) }

    var isServing: Bool { if case .serving = phase { true } else { false } }

    /// The unique name of bluetoothd's D-Bus connection; nil while bluetoothd is not on the bus.
    var owner: String? {
        switch phase {
        case .away: nil
        case .loading(let owner, _, _), .serving(let owner): owner
        }
    }

    /// The reason why bluetoothd cannot be used; empty if it is usable.
    var awayReason: String {
        switch phase {
        case .away(let reason), .loading(_, _, let reason): reason
        case .serving: ""
        }
    }

    mutating func setAwayReason(_ reason: String) {
        switch phase {
        case .away: phase = .away(reason: reason)
        case .loading(let owner, _, _): phase = .loading(owner: owner, early: [], awayReason: reason)
        case .serving: break
        }
    }

    /// Records that bluetoothd has appeared on the bus.
    mutating func appeared(_ owner: String) {
        phase = .loading(owner: owner, early: [], awayReason: awayReason)
    }

    /// Queues a signal that arrives while the objects are being loaded.
    mutating func keep(_ signal: ObjectSignal) {
        guard case .loading(let owner, var early, let reason) = phase else { return }
        early.append(signal)
        phase = .loading(owner: owner, early: early, awayReason: reason)
    }

    /// Enters the serving phase.
    ///
    /// - Returns: The queued signals. The loaded list may already contain their changes; applying a change twice is
    ///   harmless.
    mutating func loaded() -> [ObjectSignal] {
        guard case .loading(let owner, let early, _) = phase else { return [] }
        phase = .serving(owner: owner)
        return early
    }

    /// Records that bluetoothd has left the bus.
    mutating func left(_ reason: String) {
        phase = .away(reason: reason)
        life += 1
        retry?.cancel()
        retry = nil
    }

    /// Sets the timer of the pending retry, which is canceled when bluetoothd leaves.
    mutating func retry(by timer: LoopTimer) { retry = timer }
}
