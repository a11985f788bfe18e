/// Commands and their answers: each command that reached the bridge must be answered exactly once.
struct CommandLedger {
    /// The broker's acknowledgment of a published command.
    enum Delivery: Hashable {
        /// Acknowledged, with a subscriber. Only the bridge subscribes to commands.
        case taken
        /// Acknowledged without a subscriber, or not acknowledged, so that its fate is unknown.
        case lost
    }

    struct Entry {
        let what: String
        let sentAt: Duration
        var delivery: Delivery?
        /// Whether it may stay without an answer: it or its answer was in transit when the broker ended, or
        /// it has QoS 0.
        var isExcused: Bool
        var answers: [String] = []
    }

    private(set) var entries: [Entry] = []
    /// The number of repeated answers, which occur when the broker ends before it acknowledges them.
    private(set) var repeats = 0
    /// Answers without a command.
    private(set) var strangers: [String] = []
    private var mayRepeat = false

    /// Records a command that is published now; returns its number.
    mutating func send(_ what: String, at time: Duration, isFleeting: Bool = false) -> Int {
        entries.append(Entry(what: what, sentAt: time, isExcused: isFleeting))
        return entries.count - 1
    }

    mutating func published(_ number: Int, _ delivery: Delivery) {
        guard entries.indices.contains(number) else { return }
        entries[number].delivery = delivery
    }

    /// Records an answer with its whole text, which distinguishes a second answer from a repeated one.
    mutating func answered(_ number: Int, _ answer: String) {
        guard entries.indices.contains(number) else { return strangers.append(answer) }
        if mayRepeat, entries[number].answers.contains(answer) {
            repeats += 1
        } else {
            entries[number].answers.append(answer)
        }
    }

    /// Records the end of the bridge's connection to the broker: messages in transit in either direction may
    /// be lost or repeated.
    mutating func connectionEnded() {
        mayRepeat = true
        for index in entries.indices where entries[index].answers.isEmpty { entries[index].isExcused = true }
    }

    /// The commands that require an answer and have none yet.
    var owed: [Int] {
        entries.indices.filter {
            entries[$0].delivery == .taken && !entries[$0].isExcused && entries[$0].answers.isEmpty
        }
    }

    /// The number of commands without an acknowledgment by the broker.
    var unpublished: Int { entries.count { $0.delivery == nil } }

    /// All violations, as text.
    var faults: [String] {
        let missing = owed.map { "no answer: \($0) \(entries[$0].what)" }
        let doubled = entries.indices.filter { entries[$0].answers.count > 1 }.map {
            "\(entries[$0].answers.count) answers: \($0) \(entries[$0].what): "
                + entries[$0].answers.joined(separator: " | ")
        }
        return missing + doubled + strangers.map { "an answer to nothing: \($0)" }
    }

    var summary: String {
        let answered = entries.count { !$0.answers.isEmpty }
        let lost = entries.count { $0.delivery == .lost }
        let excused = entries.count { $0.delivery == .taken && $0.isExcused && $0.answers.isEmpty }
        return
            "\(entries.count) commands: \(answered) answered, \(repeats) answers repeated, \(lost) not delivered, "
            + "\(excused) without an answer as the contract allows"
    }
}
