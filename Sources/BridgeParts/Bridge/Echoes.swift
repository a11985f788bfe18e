import CoreMetrics
import DeviceKit

/// The echoes: messages that the bridge publishes to itself, to measure the age of the messages that it receives.
package struct Echoes: Sendable {
    /// How long the bridge waits for an echo. An echo that returns later is not measured.
    private static let memory = Duration.seconds(10)
    /// The time that the first echo of a connection may take before it is reported as missing.
    private static let firstTime = Duration.seconds(2)
    /// The maximum number of round-trip times kept between two reports.
    private static let timesCapacity = 4096

    /// Whether echoes return on this broker connection, as far as known.
    private enum Path: Sendable {
        /// No device has needed an echo on this connection yet.
        case untried
        /// An echo is expected: the time at which the first echo was to be sent, and whether its absence was reported.
        case waiting(since: Duration, isReported: Bool)
        /// An echo has returned, so echoes reach this bridge.
        case proved
    }

    /// A random number that distinguishes this connection's echoes from all others.
    package private(set) var connection = UInt32.random(in: .min ... .max)
    private var count = 0
    /// The echoes that have not returned, with the time at which each was sent.
    private var open: [String: Duration] = [:]
    private var path = Path.untried
    /// The round-trip times since the last ``takeTimes()``.
    private var times: [Duration] = []
    private let timer = Timer(label: "tactile_bridge_echo_seconds")

    /// Records that the broker connection is new or lost. Earlier echoes are no longer valid.
    package mutating func reset() {
        (connection, count) = (UInt32.random(in: .min ... .max), 0)
        (open, path) = ([:], .untried)
    }

    /// Returns the payload of the next echo, a message to this bridge itself.
    ///
    /// - Parameter isNeeded: Whether a device needs the echo. If so, the wait for the first echo starts now and not
    ///   when the echo is written, because an echo that the broker forbids is never written.
    package mutating func next(isNeeded: Bool, at now: Duration) -> String {
        if isNeeded, case .untried = path { path = .waiting(since: now, isReported: false) }
        count += 1
        return String(connection, radix: 16) + "-\(count)"
    }

    package func isOwn(_ text: String) -> Bool { text.hasPrefix(String(connection, radix: 16) + "-") }

    /// Records that an echo (a message to this bridge itself) was written to the socket.
    package mutating func sent(_ value: String, at moment: Duration) {
        open = open.filter { moment - $0.value < Self.memory }
        open[value] = moment
    }

    /// Records that an echo (a message to this bridge itself) returned from the broker.
    ///
    /// - Returns: Whether it is an expected echo of this connection.
    package mutating func returned(_ value: String, at now: Duration) -> Bool {
        guard let sent = open.removeValue(forKey: value) else { return false }
        path = .proved
        let time = now - sent
        timer.recordNanoseconds(time.nanoseconds)
        if times.count < Self.timesCapacity { times.append(time) }
        return true
    }

    /// Whether the first echo of this broker connection has not returned in time.
    package func isBlocked(at now: Duration) -> Bool {
        if case .waiting(let since, _) = path { now - since > Self.firstTime } else { false }
    }

    /// Whether to report now that no echo returns; at most once per connection.
    package mutating func reportsBlock(at now: Duration) -> Bool {
        guard isBlocked(at: now), case .waiting(let since, isReported: false) = path else { return false }
        path = .waiting(since: since, isReported: true)
        return true
    }

    /// Returns the round-trip times since the last call, and clears them. Times beyond the capacity are dropped.
    package mutating func takeTimes() -> [Duration] {
        defer { times = [] }
        return times
    }
}
