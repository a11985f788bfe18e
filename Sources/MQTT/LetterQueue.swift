/// The letters that wait, in order, with the number of each share, so that one sender cannot displace the others.
struct LetterQueue {
    private var letters = Queue<Outbox.Letter>()
    /// How many letters of each share wait.
    private var counts: [String: Int] = [:]
    /// The share that had the most letters when one was last added or looked for.
    private var largest = ""

    var count: Int { letters.count }
    var isEmpty: Bool { letters.isEmpty }
    var first: Outbox.Letter? { letters.first }

    /// How many letters of a share wait.
    func count(of share: String) -> Int { counts[share] ?? 0 }

    mutating func append(_ letter: Outbox.Letter) {
        letters.append(letter)
        add(letter)
    }

    /// Puts letters in front of all others, in their order.
    mutating func prepend(contentsOf others: [Outbox.Letter]) {
        letters.prepend(contentsOf: others)
        for letter in others { add(letter) }
    }

    mutating func popFirst() -> Outbox.Letter? {
        let letter = letters.popFirst()
        if let letter { remove(letter) }
        return letter
    }

    /// Takes out the oldest letter of the share that has the most.
    mutating func popOfLargestShare() -> Outbox.Letter? {
        // The largest has at least the average; below it, another one is.
        if count(of: largest) * counts.count < count {
            largest = counts.max { $0.value < $1.value }?.key ?? ""
        }
        guard count(of: largest) > 1 else { return popFirst() }
        let letter = letters.popFirst { [largest] in $0.share == largest }
        if let letter { remove(letter) }
        return letter
    }

    /// Takes out every reply and returns how many went.
    mutating func removeReplies() -> Int {
        let removed = letters.keep { !$0.isReply }
        guard removed > 0 else { return 0 }
        var others = LetterQueue()
        while let letter = letters.popFirst() { others.append(letter) }
        self = others
        return removed
    }

    private mutating func add(_ letter: Outbox.Letter) {
        counts[letter.share, default: 0] += 1
        if count(of: letter.share) > count(of: largest) { largest = letter.share }
    }

    private mutating func remove(_ letter: Outbox.Letter) {
        let left = count(of: letter.share) - 1
        counts[letter.share] = left > 0 ? left : nil
    }
}
