/// Messages that the console sent for pages, and for which answers are pending. A state machine without side effects.
package struct Questions {
    /// The maximum time to wait for the answer to the first drive command of a hold, and for the answer to any other
    /// message. A bridge waits up to 30 s for a device before it answers.
    package static let patience = (drive: Duration.seconds(1), other: Duration.seconds(35))
    /// The time after a message during which answers are forwarded to the page.
    static let memory = Duration.seconds(60)
    static let limit = 4_096

    /// A message that waits for an answer.
    package struct Question: Hashable, Sendable {
        package var tab: Int
        /// The id that the page gave to its message; nil if only the console needs the answer.
        package var id: String?
        package var topic: String
        package var asked: Duration
        package var patience: Duration
        /// The robot and the latency of the tick, for a drive command that measures the round trip.
        package var measured: Measurement?
        var isAnswered = false

        package init(
            tab: Int, id: String?, topic: String, asked: Duration,
            patience: Duration = Questions.patience.other,
            measured: Measurement? = nil
        ) {
            self.tab = tab
            self.id = id
            self.topic = topic
            self.asked = asked
            self.patience = patience
            self.measured = measured
        }
    }

    /// The first half of a round trip: from the tick to the drive command.
    package struct Measurement: Hashable, Sendable {
        package var device: String
        package var fromTick: Duration

        package init(device: String, fromTick: Duration) {
            self.device = device
            self.fromTick = fromTick
        }
    }

    private var questions: [Int: Question] = [:]
    private var last = 0
    private var purged = Duration.zero

    package init() {}

    /// Adds a question and returns its number; nil if too many questions wait.
    package mutating func ask(_ question: Question) -> Int? {
        // Old questions are removed once a second, because a search at each question would take quadratic time.
        if question.asked - purged >= .seconds(1) {
            questions = questions.filter { question.asked - $0.value.asked < Self.memory }
            purged = question.asked
        }
        guard questions.count < Self.limit else { return nil }
        last += 1
        questions[last] = question
        return last
    }

    /// Returns the question that an answer belongs to, and whether this is the first answer.
    package mutating func answer(_ number: Int) -> (question: Question, isFirst: Bool)? {
        guard let question = questions[number] else { return nil }
        questions[number]?.isAnswered = true
        return (question, !question.isAnswered)
    }

    /// Returns the questions that were not answered in time; each question is returned only once.
    package mutating func late(at now: Duration) -> [Question] {
        var late: [Question] = []
        for (number, question) in questions.sorted(by: { $0.key < $1.key }) {
            if !question.isAnswered, now - question.asked >= question.patience {
                late.append(question)
                questions[number]?.isAnswered = true
            }
        }
        return late
    }

    /// Removes the questions of a closed page.
    package mutating func leave(tab: Int) { questions = questions.filter { $0.value.tab != tab } }

    /// The time at which the next question is late; nil if none waits.
    package var due: Duration? {
        questions.values.lazy.filter { !$0.isAnswered }.map { $0.asked + $0.patience }.min()
    }
}
