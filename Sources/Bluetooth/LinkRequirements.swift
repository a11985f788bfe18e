/// The requirements of a family for the Bluetooth link.
public struct LinkRequirements: Hashable, Sendable {
    /// In which cases the host bonds with the device.
    public enum Bonding: Hashable, Sendable {
        /// The host never bonds with the device.
        case none
        /// The host bonds when the device rejects access to a characteristic, and when the user joins the device.
        case onDemand
        /// The host bonds before any other operation.
        case always
    }

    /// The characteristics without which the device cannot be used.
    public var required: [CharacteristicID]
    /// The characteristics that may replace the required characteristics: a device that has all substitutes does not
    /// need the characteristics in ``required``. Empty if there are no substitutes.
    public var substitutes: [CharacteristicID]
    /// The characteristics that are used if the device has them.
    public var optional: [CharacteristicID]
    /// In which cases the host bonds with the device.
    public var bonding: Bonding
    /// An action of the user that is necessary before bonding.
    public var bondingAdvice: String?
    /// Whether the device is also an input device (a keyboard), which is joined only by its address. If this is false,
    /// a device that turns out to be an input device is disconnected. The host itself uses the link of an input device
    /// too. So a bonded input device is left connected: after a requested disconnect, the host would not connect it
    /// automatically again.
    public var isInputDevice: Bool
    /// Whether the device moves. Such a device is connected before other devices. After a stall of the bridge, the
    /// bridge accepts no commands for the device until the stall is handled, and drops the writes that waited, except
    /// stops.
    public var isSafetyCritical: Bool
    /// Whether notifications must arrive as D-Bus signals: a notification that the device sends right after it has accepted
    /// the subscription can be lost before bluetoothd has opened a socket.
    public var needsSignals: Bool
    /// Whether the device may be connected over a Bluetooth proxy. A proxy keeps its link for up to 150 s after the host
    /// has vanished, and no guardian can stop the device in this time. So only a device that stops automatically may use one.
    public var mayUseProxy: Bool

    /// Creates requirements.
    public init(
        required: [CharacteristicID], substitutes: [CharacteristicID] = [], optional: [CharacteristicID] = [],
        bonding: Bonding = .none,
        bondingAdvice: String? = nil, isInputDevice: Bool = false, isSafetyCritical: Bool = false,
        needsSignals: Bool = false, mayUseProxy: Bool = false
    ) {
        self.required = required
        self.substitutes = substitutes
        self.optional = optional
        self.bonding = bonding
        self.bondingAdvice = bondingAdvice
        self.isInputDevice = isInputDevice
        self.isSafetyCritical = isSafetyCritical
        self.needsSignals = needsSignals
        self.mayUseProxy = mayUseProxy
    }

    /// The services that the family uses: the services of its characteristics and, for an input device, the Human
    /// Interface Device service of GATT. The host allows the device to use only these services.
    public var services: Set<UUID> {
        Set((required + substitutes + optional).map(\.service)).union(isInputDevice ? [0x1812] : [])
    }

    /// Whether a device with these requirements may bond with the host.
    public var mayBond: Bool { bonding != .none }
}
