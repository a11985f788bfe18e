package import Reference

/// One who is logged in.
package struct Session: Hashable, Sendable {
    /// What the cookie holds.
    package let id: String
    /// The user's name, where the login has one.
    package let user: String?
    /// What the user may do.
    package var roles: [Role]

    package init(id: String, user: String?, roles: [Role]) {
        self.id = id
        self.user = user
        self.roles = roles
    }
}

/// Who is logged in; forgets who was not seen for twelve hours.
package struct SessionBook {
    static let patience = Duration.seconds(12 * 3600)
    static let limit = 256

    private var sessions: [String: (session: Session, seen: Duration)] = [:]

    package init() {}

    /// Notes a login.
    ///
    /// - Returns: The sessions that had to go for it.
    package mutating func add(_ session: Session, at now: Duration) -> [Session] {
        var gone = expire(at: now)
        if sessions.count >= Self.limit, let oldest = sessions.min(by: { $0.value.seen < $1.value.seen }) {
            sessions[oldest.key] = nil
            gone.append(oldest.value.session)
        }
        sessions[session.id] = (session, now)
        return gone
    }

    /// The session of a cookie.
    package mutating func find(_ id: String, at now: Duration) -> Session? {
        guard let found = sessions[id], now - found.seen < Self.patience else { return nil }
        sessions[id]?.seen = now
        return found.session
    }

    /// Ends a session.
    package mutating func remove(_ id: String) -> Session? { sessions.removeValue(forKey: id)?.session }

    /// Ends what was not seen for long.
    package mutating func expire(at now: Duration) -> [Session] {
        let old = sessions.values.filter { now - $0.seen >= Self.patience }.map(\.session)
        for session in old { sessions[session.id] = nil }
        return old
    }
}
