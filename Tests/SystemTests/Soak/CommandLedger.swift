/// What was asked of the bridge, and what was answered: every command that reached it is answered exactly
/// once.
struct CommandLedger {
    /// What the broker said of a command that was published.
    enum Delivery: Hashable {
        /// It has taken it, and a client subscribes to it: only the bridge does.
        case taken
        /// It has no subscriber, or the broker was not there, so that its fate is unknown.
        case lost
    }

    struct Entry {
        let what: String
        let sentAt: Duration
        var delivery: Delivery?
        /// Whether it may stay without an answer: it or its answer was under way when the broker ended, or is
        /// sent at most once.
        var isExcused: Bool
        var answers: [String] = []
    }

    private(set) var entries: [Entry] = []
    /// How many answers came once more, as they may when the broker ends before it has acknowledged them.
    private(set) var repeats = 0
    /// Answers to what nobody asked.
    private(set) var strangers: [String] = []
    private var mayRepeat = false

    /// Notes a command that is published now; returns its number.
    mutating func send(_ what: String, at time: Duration, isFleeting: Bool = false) -> Int {
        entries.append(Entry(what: what, sentAt: time, isExcused: isFleeting))
        return entries.count - 1
    }

    mutating func published(_ number: Int, _ delivery: Delivery) {
        guard entries.indices.contains(number) else { return }
        entries[number].delivery = delivery
    }

    /// Notes an answer with all that it says, which tells two answers from one that came twice.
    mutating func answered(_ number: Int, _ answer: String) {
        guard entries.indices.contains(number) else { return strangers.append(answer) }
        if mayRepeat, entries[number].answers.contains(answer) {
            repeats += 1
        } else {
            entries[number].answers.append(answer)
        }
    }

    /// The bridge's connection to the broker ends: what is under way, in whichever direction, may be lost or
    /// come once more.
    mutating func connectionEnded() {
        mayRepeat = true
        for index in entries.indices where entries[index].answers.isEmpty { entries[index].isExcused = true }
    }

    /// The commands that are owed an answer and have none yet.
    var owed: [Int] {
        entries.indices.filter {
            entries[$0].delivery == .taken && !entries[$0].isExcused && entries[$0].answers.isEmpty
        }
    }

    /// The commands of which the broker has not said yet what became of them.
    var unpublished: Int { entries.count { $0.delivery == nil } }

    /// All that should not be, in words.
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
