/// A periodic action while a device is online.
///
/// Examples are a write of a mode that the device must receive again and again, and a read of a value that the device
/// does not notify.
public struct KeepAlive: Hashable, Sendable {
    /// The timer between two actions.
    public let timer: TimerName
    /// The time between two actions.
    public let period: Duration

    /// Declares a periodic action.
    public init(_ timer: TimerName, every period: Duration) {
        self.timer = timer
        self.period = period
    }

    /// Starts the timer for the next action.
    public func arm(_ effects: inout Effects) { effects.startTimer(timer, after: period) }
}
