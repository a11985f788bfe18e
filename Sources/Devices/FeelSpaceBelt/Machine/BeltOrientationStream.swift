import DeviceKit

/// The requested state of the orientation stream, and the known state of the belt.
struct BeltOrientationStream: Hashable, Sendable {
    /// The default period of belts (FSLib-iOS and FSLib-Android).
    static let defaultPeriod: UInt16 = 500

    /// The first firmware that supports other periods. In older firmware, the number of the parameter has another
    /// meaning.
    static let firstWithPeriod: UInt16 = 52

    /// Whether a command has switched the stream on.
    var isEnabled: Bool
    /// The requested period, in milliseconds.
    var period: UInt16
    /// The smallest change of the heading, in degrees, that is published.
    var minimumChange: Double
    /// The period that the belt is known to use; nil if it may use a period from an earlier link.
    var knownPeriod: UInt16?
    /// Whether the bridge asked for the current period and the belt has not answered yet.
    var isAsked = false
    /// Whether orientation notifications are enabled on this link.
    var isSubscribed = false
    /// The command that is answered when orientation notifications are enabled.
    var command: CommandID?
    private var hasChangedPeriod = false
    private var lastHeading: Int?
    /// The direction of the belt's front in degrees from magnetic north; nil while it is unknown.
    private(set) var heading: Int?

    init(_ settings: BeltFamily.OrientationCommand) {
        (isEnabled, period) = (settings.isEnabled, settings.period)
        minimumChange = settings.minimumChange
    }

    /// Resets the state for a new link: nothing is subscribed, and the belt may have been off.
    mutating func begin() {
        (isSubscribed, isAsked) = (false, false)
        (lastHeading, heading) = (nil, nil)
        knownPeriod = hasChangedPeriod ? nil : Self.defaultPeriod
    }

    /// Records a period that the belt notified.
    mutating func confirm(period: UInt16) {
        knownPeriod = period
        if period != Self.defaultPeriod { hasChangedPeriod = true }
    }

    /// Records that the stream is off.
    mutating func disable() { (isEnabled, isSubscribed, heading) = (false, false, nil) }

    /// Records the heading, whether it is published or not.
    mutating func note(_ reading: BeltOrientationReading) {
        guard isEnabled, reading.source == BeltOrientationReading.fusion else { return }
        heading = reading.normalHeading
    }

    /// Whether a reading is published: only if it is from the fused source, and the heading changed enough.
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
