/// What a simulation has measured.
package struct Measures: Sendable {
    /// How often an adapter began to connect, and how often that led to a link.
    package internal(set) var attempts = 0
    package internal(set) var links = 0
    /// Messages that bridges sent.
    package internal(set) var claims = 0
    package internal(set) var offers = 0
    package internal(set) var challenges = 0
    /// Commands that moved or powered something, and tasks that were taken up.
    package internal(set) var motions = 0
    package internal(set) var intents = 0
    /// The links that were made for devices that had been on the air without one.
    package internal(set) var handovers: [Handover] = []

    /// A new link of a device.
    package struct Handover: Sendable {
        package var cause: Cause
        /// Seconds from the loss of the link before.
        package var gap: Double
        /// So many decibels better another host with a free slot would have been.
        package var lag: Double
    }

    /// Why a device had no link.
    package enum Cause: Sendable { case start, walked, hostDied, dropped, switchedOff }

    /// Begins anew.
    package mutating func reset() { self = Measures() }

    mutating func count(_ message: Message) {
        switch message {
        case .claim: claims += 1
        case .offer: offers += 1
        case .availability, .here, .command, .subscribe, .store: break
        }
    }

    mutating func linked(
        _ link: Link, lost: (at: Int, cause: Cause)?, belowBest lag: Double, at now: Int
    ) {
        links += 1
        guard let lost, lost.cause != .switchedOff else { return }
        handovers.append(Handover(cause: lost.cause, gap: (now - lost.at).inSeconds, lag: lag))
    }

    /// The value below which a part of others lies; nil if there are none.
    package static func quantile(_ part: Double, of values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    /// How many of a hundred lie at or below a limit.
    package static func percentage(of values: [Double], upTo limit: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        return 100 * Double(values.count { $0 <= limit }) / Double(values.count)
    }
}
