import DeviceKit
import JSON

/// What is asked of the orientation stream, and what the belt is known to do.
struct OrientationStream: Hashable, Sendable {
    /// What belts do by themselves (FSLib-iOS and FSLib-Android).
    static let defaultPeriod: UInt16 = 500

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

    init(_ settings: Arguments) {
        isEnabled = settings["orientation"]?.bool ?? true
        period = UInt16(clamping: settings.integer("orientation_period_ms") ?? Int(Self.defaultPeriod))
        minimumChange = settings.number("orientation_min_change") ?? 0
    }

    /// A new link: nothing is subscribed, and the belt may have been off.
    mutating func begin() {
        (isSubscribed, isAsked) = (false, false)
        lastHeading = nil
        knownPeriod = hasChangedPeriod ? nil : Self.defaultPeriod
    }

    /// The belt says its period.
    mutating func confirm(period: UInt16) {
        knownPeriod = period
        if period != Self.defaultPeriod { hasChangedPeriod = true }
    }

    /// The object to publish; nil where the heading changed too little, or the source is not the fused one.
    mutating func report(_ reading: OrientationReading) -> JSON.Value? {
        guard isEnabled, reading.source == OrientationReading.fusion else { return nil }
        let heading = Self.normal(reading.heading)
        if let lastHeading {
            let difference = abs(heading - lastHeading)
            guard Double(min(difference, 360 - difference)) >= minimumChange else { return nil }
        }
        lastHeading = heading
        return [
            "heading": .integer(heading), "box_heading": .integer(Self.normal(reading.boxHeading)),
            "roll": .integer(Int(reading.roll)), "pitch": .integer(Int(reading.pitch)),
            "accuracy": .integer(Int(reading.accuracy)), "accurate": .bool(reading.isAccurate),
            "sensors": [
                "magnetometer": Self.status(reading.magnetometer),
                "accelerometer": Self.status(reading.accelerometer),
                "gyroscope": Self.status(reading.gyroscope), "fusion": Self.status(reading.fusion),
            ],
        ]
    }

    private static func normal(_ degrees: Int16) -> Int { ((Int(degrees) % 360) + 360) % 360 }
    private static func status(_ status: Int8) -> JSON.Value {
        (0...3).contains(status) ? .integer(Int(status)) : .null
    }
}
