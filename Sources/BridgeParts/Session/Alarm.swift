package import BridgeContract

/// Calls a handler at the earliest of the requested moments.
///
/// A scheduled call is not canceled when its moment is no longer needed. The handler checks what is due and sets the
/// alarm again.
package struct Alarm {
    private var pending: (moment: Duration, call: any ScheduledCall)?

    /// Schedules a call of the handler at a moment, unless an earlier call is scheduled already. The handler must call
    /// ``rang()``.
    package mutating func set(
        by moment: Duration, on time: any TimeSource, _ call: @escaping @Sendable () -> Void
    ) {
        if let pending, pending.moment <= moment { return }
        pending?.call.cancel()
        pending = (moment, time.schedule(at: moment, call))
    }

    /// Records that the handler is called now, so that nothing is scheduled any longer.
    package mutating func rang() { pending = nil }

    package mutating func cancel() {
        pending?.call.cancel()
        pending = nil
    }
}
