/// A slot for the newest command of a kind. A newer command replaces the older command in the slot, which is answered
/// with `"superseded":true`.
public struct LatestCommand: Hashable, Sendable {
    /// The command in progress; nil for none.
    public private(set) var id: CommandID?

    /// Creates an empty slot.
    public init() {}

    /// Stores a newer command, and answers the command in progress that it replaces.
    ///
    /// - Parameter answer: The answer to the older command.
    public mutating func put(
        _ id: CommandID?, answering answer: Answer = .superseded, _ effects: inout Effects
    ) {
        self.answer(answer, &effects)
        self.id = id
    }

    /// Removes the command and returns it; the caller must answer it.
    public mutating func take() -> CommandID? {
        defer { id = nil }
        return id
    }

    /// Answers the command in progress, if there is one.
    public mutating func answer(_ answer: Answer, _ effects: inout Effects) {
        guard let id = take() else { return }
        effects.answer(id, answer)
    }
}
