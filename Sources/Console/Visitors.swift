/// Who may stay when connections become many that are no page's socket; pure.
///
/// Nobody is turned away: a newcomer asks for a stop as likely as for anything else. Where there are too many, the oldest
/// connection without a login goes, of the source that has the most. What is logged in has room of its own, and so has a
/// stop.
package struct Visitors {
    /// How many connections there may be: without a login of each source and of all, with one, and stops with one.
    package static let limits = (each: 32, guests: 160, users: 128, stops: 64)

    /// What is known about a connection.
    package enum Kind: Hashable, Sendable {
        /// Nothing yet, or that it has no login.
        case guest
        case user
        /// A stop of somebody who is logged in.
        case stop
    }

    private struct Visitor {
        var kind = Kind.guest
        /// The browser's address; nil while only its proxy's is known.
        var source: String?
    }

    private var visitors: [Int: Visitor] = [:]

    package init() {}

    package var count: Int { visitors.count }

    /// Takes in a new connection. Later ones have greater numbers.
    ///
    /// - Parameter source: Its address; nil for a trusted proxy's.
    /// - Returns: The connections that have to go.
    package mutating func enter(_ number: Int, from source: String?) -> [Int] {
        visitors[number] = Visitor(source: source)
        return excess(.guest, source)
    }

    /// Notes what the head of a connection's request says.
    ///
    /// - Returns: The connections that have to go.
    package mutating func know(_ number: Int, _ kind: Kind, from source: String?) -> [Int] {
        guard visitors[number] != nil else { return [] }
        visitors[number] = Visitor(kind: kind, source: source)
        return excess(kind, source)
    }

    /// A connection is over, or has become a page's socket.
    package mutating func leave(_ number: Int) { visitors[number] = nil }

    private mutating func excess(_ kind: Kind, _ source: String?) -> [Int] {
        let limit =
            switch kind {
            case .guest: Self.limits.guests
            case .user: Self.limits.users
            case .stop: Self.limits.stops
            }
        let same = visitors.filter { $0.value.kind == kind }
        var crowd: [Int] = []
        if kind == .guest, let source {
            let own = same.filter { $0.value.source == source }.map(\.key)
            if own.count > Self.limits.each { crowd = own }
        }
        if crowd.isEmpty, same.count > limit {
            crowd =
                Dictionary(grouping: same.keys) { same[$0]?.source }.values.max { $0.count < $1.count } ?? []
        }
        guard let oldest = crowd.min() else { return [] }
        visitors[oldest] = nil
        return [oldest]
    }
}
