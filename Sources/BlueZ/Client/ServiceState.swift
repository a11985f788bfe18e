import DBus
import EventLoop

/// How far the client is with the bus and bluetoothd; belongs to the loop's thread.
struct ServiceState {
    enum Phase {
        /// There is no bus, or no bluetoothd on it.
        case away(reason: String)
        /// bluetoothd is asked for its objects; what it signals until the answer is kept.
        case loading(owner: String, early: [ObjectSignal], awayReason: String)
        case serving(owner: String)
    }

    /// A connection to the bus, and the signals that are subscribed to on it.
    struct Bus {
        let connection: Connection
        var subscriptions: [DBus.Subscription] = []
    }

    var bus: Bus?
    private(set) var phase: Phase
    /// Counts the lives of bluetoothd, so that answers of an earlier one are not taken for the present one's.
    private(set) var life: UInt64 = 0
    private var retry: LoopTimer?

    init(awayReason: String) { phase = .away(reason: awayReason) }

    var isServing: Bool { if case .serving = phase { true } else { false } }

    /// The unique name of bluetoothd on the bus.
    var owner: String? {
        switch phase {
        case .away: nil
        case .loading(let owner, _, _), .serving(let owner): owner
        }
    }

    /// Why bluetoothd cannot be used; empty if it can.
    var awayReason: String {
        switch phase {
        case .away(let reason), .loading(_, _, let reason): reason
        case .serving: ""
        }
    }

    /// Notes why bluetoothd cannot be used so far.
    mutating func setAwayReason(_ reason: String) {
        switch phase {
        case .away: phase = .away(reason: reason)
        case .loading(let owner, _, _): phase = .loading(owner: owner, early: [], awayReason: reason)
        case .serving: break
        }
    }

    /// bluetoothd is on the bus.
    mutating func appeared(_ owner: String) {
        phase = .loading(owner: owner, early: [], awayReason: awayReason)
    }

    /// Keeps a signal that comes while the objects are loaded.
    mutating func keep(_ signal: ObjectSignal) {
        guard case .loading(let owner, var early, let reason) = phase else { return }
        early.append(signal)
        phase = .loading(owner: owner, early: early, awayReason: reason)
    }

    /// The objects are loaded.
    ///
    /// - Returns: What was signalled before. The list may contain it already; to apply it twice does no harm.
    mutating func loaded() -> [ObjectSignal] {
        guard case .loading(let owner, let early, _) = phase else { return [] }
        phase = .serving(owner: owner)
        return early
    }

    /// bluetoothd is gone.
    mutating func left(_ reason: String) {
        phase = .away(reason: reason)
        life += 1
        retry?.cancel()
        retry = nil
    }

    /// Sets the timer of what is tried again in this life of bluetoothd.
    mutating func retry(by timer: LoopTimer) { retry = timer }
}
