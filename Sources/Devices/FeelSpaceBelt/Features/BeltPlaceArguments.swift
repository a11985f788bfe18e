import DeviceKit

/// The place on the belt for a command: a direction, one motor, or several motors.
struct BeltPlaceArguments: Hashable, Sendable {
    /// The direction in whole degrees. A fraction is dropped, as in the maker's libraries.
    var direction: Int?
    var reference = BeltReference.belt
    var motor: Int?
    var motors: [Int]?

    /// Returns the place; nil if none is given.
    func place(_ firmware: BeltFirmwareInformation?) throws(CommandError) -> BeltPlace? {
        if let direction { return reference == .magnetic ? .bearing(direction) : .angle(direction) }
        if let motor { return .motor(motor) }
        guard let motors else { return nil }
        let mask = motors.reduce(UInt16(0)) { $0 | 1 << UInt16(truncatingIfNeeded: $1) }
        // According to FSLib-Android, this firmware drives at most four motors.
        if firmware?.version == 43, mask.nonzeroBitCount > 4 {
            throw CommandError(.notSupported, "motors: firmware 43 drives at most 4 motors at once")
        }
        return .motors(mask)
    }
}

/// The arguments of a command that vibrates at a place on the belt.
protocol BeltPlaced: Sendable {
    var place: BeltPlaceArguments { get set }
}

extension BeltPlaced {
    /// The fields for the place, which every such command has.
    static var placeFields: [TakenField<Self>] {
        [
            .field(
                "direction", \.place.direction, .angle, unit: "degrees",
                "The direction, clockwise; alternatively, give motor or motors."),
            .field(
                "reference", \.place.reference, .choice,
                "The reference of the direction: magnetic north, or the belt's front."),
            .field(
                "motor", \.place.motor, .integer(0...15),
                "One motor: 0 at the front, clockwise, 4 on the right."),
            .field(
                "motors", \.place.motors, .list(.integer(0...15), count: 1...6),
                "Up to six motors at once."),
        ]
    }

    /// The key path of `direction`, for comparison with the fields of a command. It must start at the protocol: a key
    /// path that starts at a concrete command type is not equal to it.
    static var directionKey: any PartialKeyPath<Self> & Sendable { \Self.place.direction }
    /// The key path of `reference`, which must start at the protocol like ``directionKey``.
    static var referenceKey: any PartialKeyPath<Self> & Sendable { \Self.place.reference }

    /// The rule that at most one of the keys `direction`, `motor` and `motors` is present.
    static var onePlace: Taking<Self>.Rule {
        .atMostOne([\.place.direction, \.place.motor, \.place.motors])
    }
    /// The rule that exactly one of the keys `direction`, `motor` and `motors` is present.
    static var thePlace: Taking<Self>.Rule {
        .exactlyOne([\.place.direction, \.place.motor, \.place.motors])
    }
    /// The key paths for a direction, one motor and several motors; see ``directionKey``.
    static var placeKeys: [any PartialKeyPath<Self> & Sendable] {
        [\Self.place.direction, \Self.place.motor, \Self.place.motors]
    }
    /// The key path for several motors; see ``directionKey``.
    static var motorsKey: any PartialKeyPath<Self> & Sendable { \Self.place.motors }
}
