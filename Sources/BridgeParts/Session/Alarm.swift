package import BridgeContract

/// Has a clock call by the earliest of the moments that it is told.
///
/// A call for a moment that matters no more is left to come: the handler looks what is due, and sets the alarm again.
package struct Alarm {
    private var pending: (moment: Duration, call: any ScheduledCall)?

    /// Has the clock call by a moment; the handler calls ``rang()``.
    package mutating func set(
        by moment: Duration, on time: any TimeSource, _ call: @escaping @Sendable () -> Void
    ) {
        if let pending, pending.moment <= moment { return }
        pending?.call.cancel()
        pending = (moment, time.schedule(at: moment, call))
    }

    /// The clock has called.
    package mutating func rang() { pending = nil }

    /// Takes the call back.
    package mutating func cancel() {
        pending?.call.cancel()
        pending = nil
    }
}
