package import Reference

/// The session of a logged-in user.
package struct Session: Hashable, Sendable {
    /// The value of the cookie.
    package let id: String
    /// The user's name, if the login has one.
    package let user: String?
    package var roles: [Role]

    package init(id: String, user: String?, roles: [Role]) {
        self.id = id
        self.user = user
        self.roles = roles
    }
}

/// The sessions; a session expires after twelve hours without use.
package struct SessionBook {
    static let patience = Duration.seconds(12 * 3600)
    static let limit = 256

    private var sessions: [String: (session: Session, seen: Duration)] = [:]

    package init() {}

    /// Adds a session.
    ///
    /// - Returns: The sessions that were removed for it.
    package mutating func add(_ session: Session, at now: Duration) -> [Session] {
        var gone = expire(at: now)
        if sessions.count >= Self.limit, let oldest = sessions.min(by: { $0.value.seen < $1.value.seen }) {
            sessions[oldest.key] = nil
            gone.append(oldest.value.session)
        }
        sessions[session.id] = (session, now)
        return gone
    }

    /// Returns the session of a cookie and renews it.
    package mutating func find(_ id: String, at now: Duration) -> Session? {
        guard let found = sessions[id], now - found.seen < Self.patience else { return nil }
        sessions[id]?.seen = now
        return found.session
    }

    package mutating func remove(_ id: String) -> Session? { sessions.removeValue(forKey: id)?.session }

    /// Removes and returns the expired sessions.
    package mutating func expire(at now: Duration) -> [Session] {
        let old = sessions.values.filter { now - $0.seen >= Self.patience }.map(\.session)
        for session in old { sessions[session.id] = nil }
        return old
    }
}
