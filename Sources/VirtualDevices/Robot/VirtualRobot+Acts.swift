extension VirtualRobot {
    /// The words that live lines can contain for a robot, as text for error messages.
    static let understood =
        "refuse 1...1000 (this many reads return a wrong value), turn 0...359 (sets its heading), restart"

    /// Carries out the words that a live line (typed by a user) contains after the device's name. Reports invalid words
    /// with the allowed words.
    mutating func act(_ words: [String], _ reactions: inout [Reaction]) {
        switch (words.first, words.dropFirst().first.flatMap { Int($0) }, words.count) {
        case ("refuse", let count?, 2) where (1...1000).contains(count): refusals = count
        case ("turn", let degrees?, 2) where (0..<360).contains(degrees): pose.heading = Double(degrees)
        case ("restart", nil, 1):
            if isConnected { reactions.append(.disconnect) }
            boot(&reactions)
        default:
            reactions.append(
                .misunderstood(
                    "'\(words.joined(separator: " "))' is not understood; a robot accepts: "
                        + Self.understood))
        }
    }
}
