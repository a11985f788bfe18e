import CoreMetrics
import Synchronization

/// A counter: a number that only grows.
final class CountingInstrument: CounterHandler, FloatingPointCounterHandler {
    private let total = Mutex(0.0)

    var value: Double { total.withLock { $0 } }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) {
        guard amount.isFinite, amount > 0 else { return }
        total.withLock { $0 += amount }
    }
    func reset() { total.withLock { $0 = 0 } }
}

/// A gauge: a number that increases and decreases.
final class LevelInstrument: MeterHandler, RecorderHandler {
    private let level = Mutex(0.0)

    var value: Double { level.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { level.withLock { $0 = value } }
    func increment(by amount: Double) { level.withLock { $0 += amount } }
    func decrement(by amount: Double) { level.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
}

/// A histogram of measurements. Times are in seconds.
final class DistributionInstrument: TimerHandler, RecorderHandler {
    /// The upper bounds of the buckets, in seconds: from 0.5 ms, a typical latency of a broker on this host, to 10 s,
    /// the maximum duration of a command.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    struct State: Sendable {
        /// The number of measurements in each bucket, not cumulative. The last bucket has no upper bound.
        var counts = [Int](repeating: 0, count: bounds.count + 1)
        var sum = 0.0
    }

    private let content = Mutex(State())

    var state: State { content.withLock { $0 } }

    func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        content.withLock { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }
}
