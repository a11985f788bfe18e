import DeviceKit

/// Where on the belt a command wants something to be felt: by a direction, one motor, or several.
struct BeltPlaceArguments: Hashable, Sendable {
    /// Whole degrees; a fraction is dropped, as the libraries do.
    var direction: Int?
    var reference = BeltReference.belt
    var motor: Int?
    var motors: [Int]?

    /// The place; nil where none is given.
    func place(_ firmware: BeltFirmwareInformation?) throws(CommandError) -> BeltPlace? {
        if let direction { return reference == .magnetic ? .bearing(direction) : .angle(direction) }
        if let motor { return .motor(motor) }
        guard let motors else { return nil }
        let mask = motors.reduce(UInt16(0)) { $0 | 1 << UInt16(truncatingIfNeeded: $1) }
        // FSLib-Android says that this firmware drives no more.
        if firmware?.version == 43, mask.nonzeroBitCount > 4 {
            throw CommandError(.notSupported, "motors: firmware 43 drives at most 4 motors at once")
        }
        return .motors(mask)
    }
}

/// Says where on the belt it is felt.
protocol BeltPlaced: Sendable {
    /// Where.
    var place: BeltPlaceArguments { get set }
}

extension BeltPlaced {
    /// The keys that say where, on every command that takes a place.
    static var placeFields: [TakenField<Self>] {
        [
            .field(
                "direction", \.place.direction, .angle, unit: "degrees",
                "Where, clockwise; or give motor or motors."),
            .field(
                "reference", \.place.reference, .choice,
                "What the direction is counted from: magnetic north, or the belt's front."),
            .field(
                "motor", \.place.motor, .integer(0...15),
                "One motor: 0 at the front, clockwise, 4 on the right."),
            .field(
                "motors", \.place.motors, .list(.integer(0...15), count: 1...6),
                "Up to six motors at once."),
        ]
    }

    /// The path by which this protocol's fields reach their key; a path of the type itself differs from it.
    static var directionKey: any PartialKeyPath<Self> & Sendable { \Self.place.direction }
    /// See ``directionKey``.
    static var referenceKey: any PartialKeyPath<Self> & Sendable { \Self.place.reference }

    /// Only one of them may say where.
    static var onePlace: Taking<Self>.Rule {
        .atMostOne([\.place.direction, \.place.motor, \.place.motors])
    }
    /// One of them must say where.
    static var thePlace: Taking<Self>.Rule {
        .exactlyOne([\.place.direction, \.place.motor, \.place.motors])
    }
    /// The paths of all of them; see ``directionKey``.
    static var placeKeys: [any PartialKeyPath<Self> & Sendable] {
        [\Self.place.direction, \Self.place.motor, \Self.place.motors]
    }
    /// The path of the key of several motors; see ``directionKey``.
    static var motorsKey: any PartialKeyPath<Self> & Sendable { \Self.place.motors }
}
