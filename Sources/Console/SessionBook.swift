package import JSON
package import Reference

/// The session of a logged-in user.
package struct Session: Hashable, Sendable {
    /// A hash of the cookie; empty for a session without a cookie.
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
    /// The maximum duration of a session, counted from the login.
    package static let longest = Duration.seconds(30 * 86400)
    static let limit = 256

    private var sessions: [String: (session: Session, began: Duration, seen: Duration)] = [:]

    package init() {}

    /// Adds a session.
    ///
    /// - Returns: The older sessions that were removed to make space.
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

    // MARK: Across restarts

    /// The sessions as a JSON value for ``init(saved:at:clock:)``.
    ///
    /// - Parameter clock: The time since 1970, which unlike `now` continues across restarts.
    package func saved(at now: Duration, clock: Duration) -> JSON.Value {
        func time(_ moment: Duration) -> JSON.Value {
            .integer(Int((clock - (now - moment)).components.seconds))
        }
        let sorted = sessions.values.sorted { $0.session.id < $1.session.id }
        return .array(
            sorted.map { entry in
                ["id": .string(entry.session.id), "started": time(entry.began), "seen": time(entry.seen)]
            })
    }

    /// The valid sessions of a saved value; a time in the future counts as now.
    ///
    /// - Throws: ``Complaint`` if the value does not have the form.
    package init(saved: JSON.Value, at now: Duration, clock: Duration) throws(Complaint) {
        guard let entries = saved.array, entries.count <= Self.limit else {
            throw Complaint(
                description: "found \(saved.kind); allowed: an array of at most \(Self.limit) sessions")
        }
        for entry in entries {
            guard let id = entry["id"]?.string, !id.isEmpty, let began = entry["started"]?.integer,
                let seen = entry["seen"]?.integer
            else {
                throw Complaint(description: "found \(entry); allowed: an object with id, started and seen")
            }
            func moment(_ time: Int) -> Duration { now - max(.zero, clock - .seconds(time)) }
            sessions[id] = (Session(id: id, user: nil, roles: []), moment(began), moment(seen))
        }
        _ = expire(at: now)
    }

    /// The reason why saved sessions cannot be read.
    package struct Complaint: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    private static func isOver(_ began: Duration, _ seen: Duration, at now: Duration) -> Bool {
        now - seen >= patience || now - began >= longest
    }
}
