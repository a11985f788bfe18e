extension BeltSignal {
    static let navigationChannel: UInt8 = 2
    /// The channel for the signals of the commands `notify` and `signal`. On this channel, the belt accepts limited
    /// signals in every mode.
    static let notificationChannel: UInt8 = 0

    /// Returns the command that shows the signal; nil for a directional signal without a direction.
    ///
    /// Patterns, iterations and periods are those in the current versions of the maker's libraries
    /// (`BeltVibrationSignal`, `FSBeltVibrationSignal`). The first documented version of the libraries uses different
    /// values.
    ///
    /// - Parameters:
    ///   - channel: The channel; ignored for the battery level, which is a system signal.
    ///   - direction: Whole degrees.
    ///   - reference: The reference of the direction.
    func command(on channel: UInt8, direction: Int? = nil, reference: BeltReference = .magnetic)
        -> BeltVibrationCommand?
    {
        switch self {
        case .none: return .stop(channel: channel)
        case .batteryLevel: return .system(.battery)
        default: break
        }
        let shape = shape
        let place: BeltPlace
        if let own = shape.place {
            place = own
        } else if let direction {
            place = reference == .magnetic ? .bearing(direction) : .angle(direction)
        } else {
            return nil
        }
        return .configure(
            BeltChannelConfiguration(
                channel: channel, pattern: shape.pattern, intensity: shape.intensity, place: place,
                iterations: shape.iterations, period: shape.period, isExclusive: shape.isExclusive))
    }

    /// The pattern, repetitions and period of a signal, without its direction.
    struct Shape {
        var pattern: BeltPattern
        var iterations: UInt8?
        var period: UInt16
        var place: BeltPlace?
        var intensity: UInt8?
        var isExclusive = false
    }

    /// The pattern, repetitions and period of the signal. Do not use this for `none` and `batteryLevel`, which are not
    /// vibrations of a channel.
    var shape: Shape {
        switch self {
        case .navigating, .none, .batteryLevel: Shape(pattern: .continuous, period: 500)
        case .approachingDestination: Shape(pattern: .singleShort, period: 500)
        case .ongoingTurn, .waypointReached: Shape(pattern: .singleLong, period: 750)
        case .nextWaypointLong: Shape(pattern: .singleLong, period: 3000)
        case .nextWaypointMedium: Shape(pattern: .singleLong, period: 1500)
        case .nextWaypointShort: Shape(pattern: .singleLong, period: 1000)
        case .destinationReached: Shape(pattern: .destinationReached, period: 5000, place: .motor(0))
        case .direction: Shape(pattern: .continuous, iterations: 1, period: 1000)
        case .destinationReachedOnce:
            Shape(
                pattern: .destinationReached, iterations: 1, period: 2500, place: .motor(0),
                isExclusive: true)
        case .operationWarning:
            Shape(
                pattern: .warning, iterations: 2, period: 500, place: .motor(0), intensity: 25,
                isExclusive: true)
        case .criticalWarning:
            Shape(
                pattern: .singleLong, iterations: 3, period: 700, place: .motors(0x1111),
                isExclusive: true)
        }
    }
}
