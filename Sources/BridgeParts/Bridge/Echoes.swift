import CoreMetrics
import DeviceKit

/// The messages that the bridge sends to itself, by which it knows how old what the broker brings is.
package struct Echoes: Sendable {
    /// How long an echo is waited for, for the figures.
    private static let memory = Duration.seconds(10)
    /// How long the first echo of a connection may take before it is said that none comes back.
    private static let firstTime = Duration.seconds(2)
    /// How many times are kept between two reports.
    private static let timesCapacity = 4096

    /// Whether echoes come back on this connection.
    private enum Path: Sendable {
        /// None that a device needs was sent.
        case untried
        /// The first was to be sent at this time; whether it was said that none comes back.
        case waiting(since: Duration, isReported: Bool)
        case proved
    }

    /// Tells this connection's echoes from all others.
    package private(set) var connection = UInt32.random(in: .min ... .max)
    private var count = 0
    /// When those were sent that have not come back, by value.
    private var open: [String: Duration] = [:]
    private var path = Path.untried
    /// How long those took that came back since that was asked last.
    private var times: [Duration] = []
    private let timer = Timer(label: "tactile_bridge_echo_seconds")

    /// Notes that the connection is new, or gone: no echo of the one before counts.
    package mutating func reset() {
        (connection, count) = (UInt32.random(in: .min ... .max), 0)
        (open, path) = ([:], .untried)
    }

    /// Makes the value of the next echo.
    ///
    /// - Parameter isNeeded: Whether a device needs it. It counts from the attempt on: one that is left out, because the
    ///   broker forbids it, is never sent.
    package mutating func next(isNeeded: Bool, at now: Duration) -> String {
        if isNeeded, case .untried = path { path = .waiting(since: now, isReported: false) }
        count += 1
        return String(connection, radix: 16) + "-\(count)"
    }

    /// Whether a text is an echo of this connection.
    package func isOwn(_ text: String) -> Bool { text.hasPrefix(String(connection, radix: 16) + "-") }

    /// Notes that an echo of this connection was handed to the socket.
    package mutating func sent(_ value: String, at moment: Duration) {
        open = open.filter { moment - $0.value < Self.memory }
        open[value] = moment
    }

    /// Notes that an echo came back.
    ///
    /// - Returns: Whether it is one of this connection that was waited for.
    package mutating func returned(_ value: String, at now: Duration) -> Bool {
        guard let sent = open.removeValue(forKey: value) else { return false }
        path = .proved
        let time = now - sent
        timer.recordNanoseconds(time.nanoseconds)
        if times.count < Self.timesCapacity { times.append(time) }
        return true
    }

    /// Whether echoes were to come back by now, and none did.
    package func isBlocked(at now: Duration) -> Bool {
        if case .waiting(let since, _) = path { now - since > Self.firstTime } else { false }
    }

    /// Whether it is to be said now that no echo comes back: once a connection.
    package mutating func reportsBlock(at now: Duration) -> Bool {
        guard isBlocked(at: now), case .waiting(let since, isReported: false) = path else { return false }
        path = .waiting(since: since, isReported: true)
        return true
    }

    /// Takes how long the echoes took since that was asked last; of very many, the first ones.
    package mutating func takeTimes() -> [Duration] {
        defer { times = [] }
        return times
    }
}
