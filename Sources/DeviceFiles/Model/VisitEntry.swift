import DeviceKit

/// How the bridge visits a device with `connect: visit`.
package struct VisitEntry: Hashable, Sendable {
    /// The time between two visits.
    package enum Period: Hashable, Sendable {
        case seconds(Int)
        /// The value of a setting, an integer with a default, in seconds.
        case setting(String)
    }

    package var period: Period
    /// The time after which the bridge leaves the device in any case.
    package var limit = Duration.seconds(30)
    /// The time between a failed visit and the next try.
    package var retry = Duration.seconds(300)
    /// The number of tries after which the bridge waits for a whole period.
    package var tries = 3

    package init(_ period: Period) { self.period = period }

    /// The schedule for a device with these settings.
    func schedule(_ settings: Arguments) -> Visiting {
        let seconds =
            switch period {
            case .seconds(let seconds): seconds
            case .setting(let name): settings.integer(name) ?? 86_400
            }
        return Visiting(period: .seconds(seconds), retry: retry, tries: tries)
    }
}
