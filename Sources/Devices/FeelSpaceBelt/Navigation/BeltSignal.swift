import DeviceKit

/// What a direction is relative to.
enum BeltReference: Named {
    /// Magnetic north; the belt follows the direction by its compass.
    case magnetic
    /// The belt's front.
    case belt

    var name: String {
        switch self {
        case .magnetic: "magnetic"
        case .belt: "belt"
        }
    }
}

/// A signal of the navigation controllers in the maker's libraries (`FSNavigationSignalType`, `BeltVibrationSignal`).
enum BeltSignal: Named {
    /// The wearer is on the route.
    case navigating
    case ongoingTurn
    /// The wearer is close to the destination.
    case approachingDestination
    /// The wearer is at the destination; the signal repeats.
    case destinationReached
    /// The next waypoint is far.
    case nextWaypointLong
    /// The next waypoint is not far.
    case nextWaypointMedium
    /// The next waypoint is near.
    case nextWaypointShort
    case waypointReached
    /// No vibration.
    case none
    /// Shows a direction once.
    case direction
    /// The wearer is at the destination; the signal plays once.
    case destinationReachedOnce
    /// A warning that something is wrong.
    case operationWarning
    /// A warning that the wearer must stop walking.
    case criticalWarning
    case batteryLevel

    /// The signals that repeat until another signal replaces them. Navigation accepts only these signals.
    static let repeated: [BeltSignal] = [
        .navigating, .ongoingTurn, .approachingDestination, .destinationReached, .nextWaypointLong,
        .nextWaypointMedium, .nextWaypointShort, .waypointReached, .none,
    ]

    /// The signals that are vibrations of a channel.
    static let ofChannels = allCases.filter { $0 != .none && $0 != .batteryLevel }

    var isRepeated: Bool { Self.repeated.contains(self) }

    /// Whether the signal has a direction.
    var isDirectional: Bool {
        switch self {
        case .navigating, .ongoingTurn, .approachingDestination, .nextWaypointLong, .nextWaypointMedium,
            .nextWaypointShort, .waypointReached, .direction:
            true
        case .destinationReached, .none, .destinationReachedOnce, .operationWarning, .criticalWarning,
            .batteryLevel:
            false
        }
    }

    var name: String {
        switch self {
        case .navigating: "navigating"
        case .ongoingTurn: "ongoing_turn"
        case .approachingDestination: "approaching_destination"
        case .destinationReached: "destination_reached"
        case .nextWaypointLong: "next_waypoint_long"
        case .nextWaypointMedium: "next_waypoint_medium"
        case .nextWaypointShort: "next_waypoint_short"
        case .waypointReached: "waypoint_reached"
        case .none: "none"
        case .direction: "direction"
        case .destinationReachedOnce: "destination_reached_once"
        case .operationWarning: "operation_warning"
        case .criticalWarning: "critical_warning"
        case .batteryLevel: "battery"
        }
    }
}
