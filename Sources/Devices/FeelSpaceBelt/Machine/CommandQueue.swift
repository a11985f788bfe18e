import DeviceKit
import JSON

/// A command that waits or is carried out.
struct Request: Hashable, Sendable {
    var id: CommandID
    var feature: String
    var arguments: Arguments
}

/// The commands that wait, in the order of their arrival.
struct CommandQueue: Hashable, Sendable {
    /// How many may wait; a belt confirms in a fraction of a second.
    static let limit = 64

    private(set) var requests: [Request] = []

    var isFull: Bool { requests.count >= Self.limit }

    /// Takes the oldest out.
    mutating func next() -> Request? { requests.isEmpty ? nil : requests.removeFirst() }

    /// Puts a command at the end.
    mutating func append(_ request: Request) { requests.append(request) }

    /// Takes out those that a condition holds for.
    mutating func remove(where condition: (Request) -> Bool) -> [Request] {
        let removed = requests.filter(condition)
        requests.removeAll(where: condition)
        return removed
    }

    /// Puts a navigation command at the end in place of an older one, and returns that one's identifier.
    ///
    /// A pause or a resumption that the older one asked for is not lost under a newer direction.
    mutating func coalesce(_ request: Request) -> CommandID? {
        guard let older = remove(where: { $0.feature == request.feature }).last else {
            append(request)
            return nil
        }
        var merged = request
        let state = older.arguments["state"]
        if merged.arguments["state"] == nil, state != .string(Navigation.State.stopped.name) {
            merged.arguments.values["state"] = state
        }
        for key in ["direction", "reference", "signal"]
        where request.arguments["direction"] == nil && merged.arguments[key] == nil {
            merged.arguments.values[key] = older.arguments[key]
        }
        append(merged)
        return older.id
    }
}
