/// The measurements of a simulation.
package struct Measures: Sendable {
    /// The number of connection attempts, and of those that led to a link.
    package internal(set) var attempts = 0
    package internal(set) var links = 0
    /// The numbers of messages sent by bridges.
    package internal(set) var claims = 0
    package internal(set) var offers = 0
    package internal(set) var challenges = 0
    /// The number of moves of devices to better hosts.
    package internal(set) var moves = 0
    /// The samples of devices, those without a link, and by how much the best host would have been better, in dB.
    package internal(set) var samples = 0
    package internal(set) var withoutHost = 0
    package internal(set) var lags: [Double] = []
    /// The numbers of commands that moved or powered a device, and of resumed tasks.
    package internal(set) var motions = 0
    package internal(set) var intents = 0
    /// The links of devices that advertised without a link.
    package internal(set) var handovers: [Handover] = []

    /// A new link of a device.
    package struct Handover: Sendable {
        package var cause: Cause
        /// The time since the loss of the previous link, in seconds.
        package var gap: Double
        /// How much better the best other host with a free slot would have been, in dB.
        package var lag: Double
    }

    /// Why a device had no link.
    package enum Cause: Sendable { case start, walked, moved, hostDied, dropped, switchedOff }

    /// Resets the measurements.
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

    /// The quantile of values for a share from 0 to 1; nil if there are none.
    package static func quantile(_ part: Double, of values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    /// The percentage of values at or below a limit.
    package static func percentage(of values: [Double], upTo limit: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        return 100 * Double(values.count { $0 <= limit }) / Double(values.count)
    }
}
