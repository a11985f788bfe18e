/// Chooses which connections to close when there are too many. WebSockets of pages are not counted. A state machine
/// without side effects.
///
/// A new connection is always accepted, because it may carry a stop. If there are too many, the oldest connection
/// without a login is closed, from the source with the most connections. Logged-in users and stops have separate
/// limits.
package struct Visitors {
    /// The maximum number of connections: without a login for each source, without a login in total, with a login, and
    /// with a stop of a logged-in user.
    package static let limits = (each: 32, guests: 160, users: 128, stops: 64)

    package enum Kind: Hashable, Sendable {
        /// The connection has no login, or its request has not arrived yet.
        case guest
        case user
        /// The connection carries a stop of a logged-in user.
        case stop
    }

    private struct Visitor {
        var kind = Kind.guest
        /// The browser's address; nil while only the address of a proxy is known.
        var source: String?
    }

    private var visitors: [Int: Visitor] = [:]

    package init() {}

    package var count: Int { visitors.count }

    /// Adds a new connection. Later connections have greater numbers.
    ///
    /// - Parameter source: The address of the other side; nil if it is a trusted proxy.
    /// - Returns: The connections to close.
    package mutating func enter(_ number: Int, from source: String?) -> [Int] {
        visitors[number] = Visitor(source: source)
        return excess(.guest, source)
    }

    /// Updates a connection when the head of its request is known.
    ///
    /// - Returns: The connections to close.
    package mutating func know(_ number: Int, _ kind: Kind, from source: String?) -> [Int] {
        guard visitors[number] != nil else { return [] }
        visitors[number] = Visitor(kind: kind, source: source)
        return excess(kind, source)
    }

    /// Removes a connection that is closed or has become a page's WebSocket.
    package mutating func leave(_ number: Int) { visitors[number] = nil }

    private mutating func excess(_ kind: Kind, _ source: String?) -> [Int] {
        let limit =
            switch kind {
            case .guest: Self.limits.guests
            case .user: Self.limits.users
            case .stop: Self.limits.stops
            }
        let same = visitors.filter { $0.value.kind == kind }
        var candidates: [Int] = []
        if kind == .guest, let source {
            let own = same.filter { $0.value.source == source }.map(\.key)
            if own.count > Self.limits.each { candidates = own }
        }
        if candidates.isEmpty, same.count > limit {
            candidates =
                Dictionary(grouping: same.keys) { same[$0]?.source }.values.max { $0.count < $1.count } ?? []
        }
        guard let oldest = candidates.min() else { return [] }
        visitors[oldest] = nil
        return [oldest]
    }
}
