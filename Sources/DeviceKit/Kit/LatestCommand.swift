/// The newest command of a kind, of which only the newest counts: an older one that waits is answered `superseded`.
public struct LatestCommand: Hashable, Sendable {
    /// The command that waits; nil for none.
    public private(set) var id: CommandID?

    /// Makes an empty place.
    public init() {}

    /// Puts a command in the place of the one that waits, which is answered.
    ///
    /// - Parameter answer: What the older one gets.
    public mutating func put(
        _ id: CommandID?, answering answer: Answer = .superseded, _ effects: inout Effects
    ) {
        self.answer(answer, &effects)
        self.id = id
    }

    /// Takes the command out, to be answered by the taker.
    public mutating func take() -> CommandID? {
        defer { id = nil }
        return id
    }

    /// Answers the command that waits, if there is one.
    public mutating func answer(_ answer: Answer, _ effects: inout Effects) {
        guard let id = take() else { return }
        effects.answer(id, answer)
    }
}
