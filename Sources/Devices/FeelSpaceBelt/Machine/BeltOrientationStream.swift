import DeviceKit

/// What is asked of the orientation stream, and what the belt is known to do.
struct BeltOrientationStream: Hashable, Sendable {
    /// What belts do by themselves (FSLib-iOS and FSLib-Android).
    static let defaultPeriod: UInt16 = 500

    /// The first firmware whose belts take another period; on older firmware the parameter's number means something
    /// else.
    static let firstWithPeriod: UInt16 = 52

    /// Whether it is wanted.
    var isEnabled: Bool
    /// The period that is wanted, in milliseconds.
    var period: UInt16
    /// By how many degrees the heading must change to be published.
    var minimumChange: Double
    /// The period that the belt is known to keep; nil where it may keep one from an earlier link.
    var knownPeriod: UInt16?
    /// Whether the belt was asked for its period and has not said it yet.
    var isAsked = false
    /// Whether notifications are in force.
    var isSubscribed = false
    /// The command that waits for the subscription.
    var command: CommandID?
    private var hasChangedPeriod = false
    private var lastHeading: Int?
    /// Where the belt's front points to, in degrees from magnetic north; nil while the belt does not tell.
    private(set) var heading: Int?

    init(_ settings: BeltFamily.OrientationCommand) {
        (isEnabled, period) = (settings.isEnabled, settings.period)
        minimumChange = settings.minimumChange
    }

    /// A new link: nothing is subscribed, and the belt may have been off.
    mutating func begin() {
        (isSubscribed, isAsked) = (false, false)
        (lastHeading, heading) = (nil, nil)
        knownPeriod = hasChangedPeriod ? nil : Self.defaultPeriod
    }

    /// The belt says its period.
    mutating func confirm(period: UInt16) {
        knownPeriod = period
        if period != Self.defaultPeriod { hasChangedPeriod = true }
    }

    /// The belt tells no orientation any more.
    mutating func disable() { (isEnabled, isSubscribed, heading) = (false, false, nil) }

    /// Notes where the belt points, also where that is not published.
    mutating func note(_ reading: BeltOrientationReading) {
        guard isEnabled, reading.source == BeltOrientationReading.fusion else { return }
        heading = reading.normalHeading
    }

    /// Whether a reading is published: not where the heading changed too little, or the source is not the fused one.
    mutating func takes(_ reading: BeltOrientationReading) -> Bool {
        guard isEnabled, reading.source == BeltOrientationReading.fusion else { return false }
        let heading = reading.normalHeading
        if let lastHeading {
            let difference = abs(heading - lastHeading)
            guard Double(min(difference, 360 - difference)) >= minimumChange else { return false }
        }
        lastHeading = heading
        return true
    }
}
