public import BridgeContract
public import DeviceKit
import Synchronization

/// Time that a test draws forward: nobody waits for it.
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

    /// Makes a clock that stands at some time after the start of the machine, on 2026-01-31 at noon.
    public init(executor: ManualExecutor, now: Duration = .seconds(1000)) {
        self.executor = executor
        start = now
        startDate = TimeStamp(milliseconds: 1_769_860_800_000)
        state = Mutex(State(now: now))
    }

    /// The time as the test has drawn it.
    public var now: Duration { state.withLock(\.now) }

    /// The calendar's time, which goes with it.
    public var date: TimeStamp {
        let passed = (now - start).components
        let milliseconds = passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000
        return TimeStamp(milliseconds: startDate.milliseconds + milliseconds)
    }

    /// Whether the kernel takes the calendar's clock for synchronised: true until a test says otherwise.
    public var isSynchronised: Bool? { state.withLock(\.isSynchronised) }

    /// Says what the kernel tells of the calendar's clock.
    public func setSynchronised(_ isSynchronised: Bool?) {
        state.withLock { $0.isSynchronised = isSynchronised }
    }

    /// Whether the bridge wants to know that it is late.
    public var isDetectingStalls: Bool { state.withLock(\.isDetectingStalls) }

    /// Tells the bridge that it was kept from its work.
    public func stall(_ stall: Stall) {
        executor.perform { state.withLock(\.stalled)(stall) }
    }

    /// Keeps the bridge from its work without its notice: it hears of that when it feels for it.
    public func stallUnnoticed(_ stall: Stall) { state.withLock { $0.unnoticed = stall } }

    /// Tells what nobody has noticed yet.
    public func checkForStall() {
        let stall = state.withLock { state in
            defer { state.unnoticed = nil }
            return state.unnoticed
        }
        if let stall { self.stall(stall) }
    }

    /// Remembers whom to tell.
    public func onStall(_ handler: @escaping @Sendable (Stall) -> Void) {
        state.withLock { $0.stalled = handler }
    }

    /// Remembers whether lateness matters.
    public func detectStalls(_ isWanted: Bool) { state.withLock { $0.isDetectingStalls = isWanted } }

    /// How many calls are scheduled.
    public var callCount: Int { state.withLock(\.calls.count) }

    /// Calls when the test has drawn the time so far.
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

    /// Draws time forward: makes the calls that are due, each at its own time and in order, and lets all that follows
    /// from it happen before the next one.
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
