/// Something that is done again and again while a device is online, such as a mode that it must hear or a value that
/// it does not tell by itself.
public struct KeepAlive: Hashable, Sendable {
    /// The timer that runs between two times.
    public let timer: TimerName
    /// How long that is.
    public let period: Duration

    /// Declares what is done so often.
    public init(_ timer: TimerName, every period: Duration) {
        self.timer = timer
        self.period = period
    }

    /// Begins to wait for the next time.
    public func arm(_ effects: inout Effects) { effects.startTimer(timer, after: period) }
}
