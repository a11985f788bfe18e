public import BridgeContract
public import DeviceKit
import Synchronization

/// A clock that a test advances, so that no test waits.
public final class VirtualTime: TimeSource {
    private struct Call {
        var moment: Duration
        var make: @Sendable () -> Void
    }

    private struct State {
        var now: Duration
        var calls: [Int: Call] = [:]
        var count = 0
        var isDetectingStalls = false
        var isSynchronised: Bool? = true
        var unnoticed: Stall?
        var stalled: @Sendable (Stall) -> Void = { _ in }
    }

    private let executor: ManualExecutor
    private let start: Duration
    private let startDate: TimeStamp
    private let state: Mutex<State>

    /// Creates a clock. It starts some time after the start of the machine, on 2026-01-31 at noon.
    public init(executor: ManualExecutor, now: Duration = .seconds(1000)) {
        self.executor = executor
        start = now
        startDate = TimeStamp(milliseconds: 1_769_860_800_000)
        state = Mutex(State(now: now))
    }

    /// The current monotonic time.
    public var now: Duration { state.withLock(\.now) }

    /// The current calendar time, which advances with ``now``.
    public var date: TimeStamp {
        let passed = (now - start).components
        let milliseconds = passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000
        return TimeStamp(milliseconds: startDate.milliseconds + milliseconds)
    }

    /// The host is in UTC.
    public var utcOffset: Int { 0 }

    /// Whether the kernel reports a synchronized calendar clock; `true` by default.
    public var isSynchronised: Bool? { state.withLock(\.isSynchronised) }

    /// Sets whether the kernel reports a synchronized calendar clock.
    public func setSynchronised(_ isSynchronised: Bool?) {
        state.withLock { $0.isSynchronised = isSynchronised }
    }

    /// Whether the bridge detects stalls.
    public var isDetectingStalls: Bool { state.withLock(\.isDetectingStalls) }

    /// Reports a stall to the bridge.
    public func stall(_ stall: Stall) {
        executor.perform { state.withLock(\.stalled)(stall) }
    }

    /// Prepares a stall that the bridge notices only when it checks for one.
    public func stallUnnoticed(_ stall: Stall) { state.withLock { $0.unnoticed = stall } }

    /// Reports a stall that was not noticed yet.
    public func checkForStall() {
        let stall = state.withLock { state in
            defer { state.unnoticed = nil }
            return state.unnoticed
        }
        if let stall { self.stall(stall) }
    }

    /// Sets the handler of stalls.
    public func onStall(_ handler: @escaping @Sendable (Stall) -> Void) {
        state.withLock { $0.stalled = handler }
    }

    /// Records whether the bridge detects stalls.
    public func detectStalls(_ isWanted: Bool) { state.withLock { $0.isDetectingStalls = isWanted } }

    /// The number of scheduled calls.
    public var callCount: Int { state.withLock(\.calls.count) }

    /// Schedules a call for when the test has advanced the time to a moment.
    public func schedule(
        at moment: Duration, _ call: @escaping @Sendable () -> Void
    ) -> any ScheduledCall {
        let number = state.withLock { state in
            state.count += 1
            state.calls[state.count] = Call(moment: moment, make: call)
            return state.count
        }
        if moment <= now {
            executor.later { [weak self] in
                if let call = self?.state.withLock({ $0.calls.removeValue(forKey: number) }) { call.make() }
            }
        }
        return Scheduled(time: self, number: number)
    }

    private struct Scheduled: ScheduledCall {
        let time: VirtualTime
        let number: Int

        func cancel() { time.state.withLock { $0.calls[number] = nil } }
    }

    /// Advances the time and makes the calls that are due, in order, each at its own time. All consequences of a call
    /// are processed before the next call.
    public func advance(by duration: Duration) {
        let target = now + duration
        executor.drain()
        while let call = takeCall(until: target) { executor.perform { call.make() } }
        state.withLock { $0.now = target }
    }

    private func takeCall(until target: Duration) -> Call? {
        state.withLock { state in
            let next = state.calls.min { ($0.value.moment, $0.key) < ($1.value.moment, $1.key) }
            guard let next, next.value.moment <= target else { return nil }
            state.now = max(state.now, next.value.moment)
            return state.calls.removeValue(forKey: next.key)
        }
    }
}
