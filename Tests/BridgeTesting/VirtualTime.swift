public import BridgeCore
public import DeviceKit
import Synchronization

/// Time that a test draws forward: nobody waits for it.
public final class VirtualTime: TimeSource {
    private struct Sleeper {
        var deadline: Duration
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Duration
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var count = 0
        var isWatchingLateness = false
        var isSynchronised: Bool? = true
        var unfelt: Disturbance?
        var disturbed: @Sendable (Disturbance) -> Void = { _ in }
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
    public var isWatchingLateness: Bool { state.withLock(\.isWatchingLateness) }

    /// Tells the bridge that it was kept from its work.
    public func disturb(_ disturbance: Disturbance) {
        executor.perform { state.withLock(\.disturbed)(disturbance) }
    }

    /// Keeps the bridge from its work without its notice: it hears of that when it feels for it.
    public func standStill(_ disturbance: Disturbance) { state.withLock { $0.unfelt = disturbance } }

    /// Tells what nobody has noticed yet.
    public func feelLateness() {
        let disturbance = state.withLock { state in
            defer { state.unfelt = nil }
            return state.unfelt
        }
        if let disturbance { disturb(disturbance) }
    }

    /// Remembers whom to tell.
    public func onDisturbance(_ handler: @escaping @Sendable (Disturbance) -> Void) {
        state.withLock { $0.disturbed = handler }
    }

    /// Remembers whether lateness matters.
    public func watchLateness(_ isWanted: Bool) { state.withLock { $0.isWatchingLateness = isWanted } }

    /// How many wait for a time to come.
    public var sleeperCount: Int { state.withLock(\.sleepers.count) }

    /// Waits until the test has drawn the time so far.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until time: Duration) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let isDone = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return false }
                    if state.now >= time { return true }
                    state.sleepers[number] = Sleeper(deadline: time, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isDone else { throw CancellationError() }
    }

    /// Draws time forward: wakes those who sleep, each at its own time and in order, and lets all that follows from
    /// it happen before the next one.
    public func advance(by duration: Duration) {
        let target = now + duration
        executor.drain()
        while let sleeper = takeSleeper(until: target) {
            executor.perform { sleeper.continuation.resume(returning: true) }
        }
        state.withLock { $0.now = target }
    }

    private func takeSleeper(until target: Duration) -> Sleeper? {
        state.withLock { state in
            let next = state.sleepers.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
            guard let next, next.value.deadline <= target else { return nil }
            state.now = max(state.now, next.value.deadline)
            return state.sleepers.removeValue(forKey: next.key)
        }
    }
}
