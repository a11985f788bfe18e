/// The place on the belt where a channel vibrates: vibration packets encode it as an orientation type and a value.
///
/// Motor 0 is at the front. Indices and degrees increase clockwise as seen by the wearer.
enum BeltPlace: Hashable, Sendable {
    /// Several motors: bit k is motor k.
    case motors(UInt16)
    /// One motor, 0 to 15.
    case motor(Int)
    /// Degrees on the belt, 0 to 359.
    case angle(Int)
    /// Degrees from magnetic north, 0 to 359. The belt follows this direction by its compass.
    case bearing(Int)

    /// The orientation type, as its code in a vibration packet.
    var type: UInt8 {
        switch self {
        case .motors: 0
        case .motor: 1
        case .angle: 2
        case .bearing: 3
        }
    }

    /// The orientation value: an index modulo 16, or degrees modulo 360, always nonnegative.
    var value: UInt16 {
        switch self {
        case .motors(let mask): mask
        case .motor(let index): UInt16(((index % 16) + 16) % 16)
        case .angle(let degrees), .bearing(let degrees): UInt16(((degrees % 360) + 360) % 360)
        }
    }

    /// Decodes the orientation type and value of a packet. The value is reduced like ``value``. Returns nil for an
    /// unknown type.
    init?(type: UInt8, value: UInt16) {
        switch type {
        case 0: self = .motors(value)
        case 1: self = .motor(Int(value) % 16)
        case 2: self = .angle(Int(value) % 360)
        case 3: self = .bearing(Int(value) % 360)
        default: return nil
        }
    }

    /// Returns the mask of the motors that vibrate while the belt's front points to `heading`. Degrees select the
    /// nearest motor; motors are 22.5° apart.
    func mask(heading: Double) -> UInt16 {
        switch self {
        case .motors(let mask): return mask
        case .motor: return 1 << value
        case .angle: return Self.mask(at: Double(value))
        case .bearing: return Self.mask(at: Double(value) - heading)
        }
    }

    private static func mask(at degrees: Double) -> UInt16 {
        let motor = Int(((degrees + 11.25) / 22.5).rounded(.down))
        return 1 << UInt16(((motor % 16) + 16) % 16)
    }
}
