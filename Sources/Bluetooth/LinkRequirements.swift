/// What a family needs of the Bluetooth link.
public struct LinkRequirements: Hashable, Sendable {
    /// Whether the device is bonded to the host.
    public enum Bonding: Hashable, Sendable {
        /// Never.
        case none
        /// When the device refuses an access, and on joining.
        case onDemand
        /// Before anything else.
        case always
    }

    /// The characteristics without which the device cannot be used.
    public var required: [CharacteristicID]
    /// The characteristics that stand in the place of the required ones: a device that has all of these needs none of
    /// those. Empty where there are none.
    public var substitutes: [CharacteristicID]
    /// The characteristics that are used where they are there.
    public var optional: [CharacteristicID]
    /// When to bond.
    public var bonding: Bonding
    /// What a person must do before the device can be bonded.
    public var bondingAdvice: String?
    /// Whether it is an input device too (a keyboard), which is joined only by its address. A device that shows itself to
    /// be one while this is false is let go. The system uses the link of an input device too: a bonded one is left to
    /// the system, which would not connect the device by itself any more after a disconnection on request.
    public var isInputDevice: Bool
    /// Whether it moves: it goes before others when several want to be connected, and when the bridge stood still it
    /// takes no new commands until that is over, and no write that was decided before, except for stops.
    public var isSafetyCritical: Bool

    /// Declares requirements.
    public init(
        required: [CharacteristicID], substitutes: [CharacteristicID] = [], optional: [CharacteristicID] = [],
        bonding: Bonding = .none,
        bondingAdvice: String? = nil, isInputDevice: Bool = false, isSafetyCritical: Bool = false
    ) {
        self.required = required
        self.substitutes = substitutes
        self.optional = optional
        self.bonding = bonding
        self.bondingAdvice = bondingAdvice
        self.isInputDevice = isInputDevice
        self.isSafetyCritical = isSafetyCritical
    }

    /// The services that the family declares: those of its characteristics and, of an input device, the Human Interface
    /// Device service of GATT. The host lets such a device use these and no others.
    public var services: Set<UUID> {
        Set((required + substitutes + optional).map(\.service)).union(isInputDevice ? [0x1812] : [])
    }

    /// Whether such a device may bond with the host.
    public var mayBond: Bool { bonding != .none }
}
