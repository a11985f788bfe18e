import DeviceKit

/// What a direction is counted from.
enum BeltReference: Named {
    /// Magnetic north; the belt follows by its own compass.
    case magnetic
    /// The belt's front.
    case belt

    /// The name in topics.
    var name: String {
        switch self {
        case .magnetic: "magnetic"
        case .belt: "belt"
        }
    }
}

/// A signal of the navigation controllers (`FSNavigationSignalType`, `BeltVibrationSignal`).
enum BeltSignal: Named {
    /// On the way.
    case navigating
    case ongoingTurn
    /// Nearly there.
    case approachingDestination
    /// There, repeated.
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
    /// A direction, once.
    case direction
    /// There, once.
    case destinationReachedOnce
    /// Something is not right.
    case operationWarning
    /// Stop walking.
    case criticalWarning
    case batteryLevel

    /// The signals that last until another takes their place, which are those that navigation takes.
    static let repeated: [BeltSignal] = [
        .navigating, .ongoingTurn, .approachingDestination, .destinationReached, .nextWaypointLong,
        .nextWaypointMedium, .nextWaypointShort, .waypointReached, .none,
    ]

    /// The signals that are vibrations of a channel.
    static let ofChannels = allCases.filter { $0 != .none && $0 != .batteryLevel }

    /// Whether the signal lasts until another takes its place.
    var isRepeated: Bool { Self.repeated.contains(self) }

    /// Whether the signal points somewhere.
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

    /// The name in topics.
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
