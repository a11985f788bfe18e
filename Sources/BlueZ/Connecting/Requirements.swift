public import Bluetooth

/// What is needed of a device for a link to be of use.
public struct Requirements: Hashable, Sendable {
    /// The characteristics without which the device cannot be used.
    public var required: [CharacteristicID]
    /// The characteristics that are waited for a moment, but are not needed.
    public var optional: [CharacteristicID]
    /// Whether the device can do harm; it is connected before others that wait.
    public var isSafetyCritical: Bool
    /// Whether the system uses the link too, as a keyboard's. A link to such a device, if it is bonded, is left to
    /// the system when this program lets go of it: after `Disconnect`, bluetoothd would not connect it by itself any
    /// more, until a program calls `Connect`.
    public var isShared: Bool
    /// Whether the device may bond: while it is being connected, and when it bonds anew over its link, the pairing agent
    /// agrees.
    public var mayBond: Bool
    /// The services that the agent lets it use.
    public var services: Set<UUID>

    /// Makes requirements.
    public init(
        required: [CharacteristicID] = [], optional: [CharacteristicID] = [], isSafetyCritical: Bool = false,
        isShared: Bool = false, mayBond: Bool = false, services: Set<UUID> = []
    ) {
        self.required = required
        self.optional = optional
        self.isSafetyCritical = isSafetyCritical
        self.isShared = isShared
        self.mayBond = mayBond
        self.services = services
    }
}
