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

/// The sessions; a session expires after twelve hours without use, and thirty days after its login.
package struct SessionBook {
    static let patience = Duration.seconds(12 * 3600)
    /// The longest time from a login to its end.
    package static let longest = Duration.seconds(30 * 86400)
    static let limit = 256

    private var sessions: [String: (session: Session, began: Duration, seen: Duration)] = [:]

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
        sessions[session.id] = (session, now, now)
        return gone
    }

    /// Returns the session of a cookie and renews it.
    package mutating func find(_ id: String, at now: Duration) -> Session? {
        guard let found = sessions[id], !Self.isOver(found.began, found.seen, at: now) else { return nil }
        sessions[id]?.seen = now
        return found.session
    }

    package mutating func remove(_ id: String) -> Session? { sessions.removeValue(forKey: id)?.session }

    /// Removes and returns the expired sessions.
    package mutating func expire(at now: Duration) -> [Session] {
        let old = sessions.values.filter { Self.isOver($0.began, $0.seen, at: now) }.map(\.session)
        for session in old { sessions[session.id] = nil }
        return old
    }

    private static func isOver(_ began: Duration, _ seen: Duration, at now: Duration) -> Bool {
        now - seen >= patience || now - began >= longest
    }
}
