/// What was sent in the name of a page, and waits for answers; pure.
package struct Questions {
    /// How long the first answer to the first drive of a hold, and to everything else, may take.
    package static let patience = (drive: Duration.seconds(1), other: Duration.seconds(5))
    /// How long answers are told to the page that asked.
    static let memory = Duration.seconds(60)
    static let limit = 4_096

    /// One question.
    package struct Question: Hashable, Sendable {
        package var tab: Int
        /// The page's own id; nil where the console alone wants to know.
        package var id: String?
        package var topic: String
        package var asked: Duration
        package var patience: Duration
        /// Of a drive that measures the way: its robot, and how long it took to come here.
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

    /// The first half of a round trip.
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

    /// Takes a question in; nil where too many wait.
    package mutating func ask(_ question: Question) -> Int? {
        // Once a second: to look through all at each question would cost their number squared.
        if question.asked - purged >= .seconds(1) {
            questions = questions.filter { question.asked - $0.value.asked < Self.memory }
            purged = question.asked
        }
        guard questions.count < Self.limit else { return nil }
        last += 1
        questions[last] = question
        return last
    }

    /// The question that an answer belongs to, and whether it is the first one.
    package mutating func answer(_ number: Int) -> (question: Question, isFirst: Bool)? {
        guard let question = questions[number] else { return nil }
        questions[number]?.isAnswered = true
        return (question, !question.isAnswered)
    }

    /// The questions that were not answered in time, each told of once.
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

    /// Forgets what a page asked.
    package mutating func leave(tab: Int) { questions = questions.filter { $0.value.tab != tab } }

    /// When the next question has waited too long; nil if none waits.
    package var due: Duration? {
        questions.values.lazy.filter { !$0.isAnswered }.map { $0.asked + $0.patience }.min()
    }
}
