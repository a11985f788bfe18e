public import Bluetooth
public import DeviceKit

/// The bridge's connection to the guardian: a separate process that stores the devices' wills. It carries them out when
/// the bridge can no longer make the devices safe.
public protocol Guardian: Sendable {
    /// Stores the will of a connected device in place of an earlier one, without blocking.
    func keep(_ will: LinkWill)
    /// Makes the guardian drop the will of a device, because the device is disconnected or needs no action.
    func release(device: String)
    /// Makes the guardian carry out the stored will of a device now, as if the bridge had died. The guardian continues
    /// even if the bridge exits. A new will of the device cancels the execution.
    func carryOut(device: String)
    /// Reports events of the guardian from this call on; the first event is whether there is a guardian. Call it once.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event, without a queue in between. It is never
    ///   called during another call of this port.
    func onEvent(_ handler: @escaping @Sendable (GuardianEvent) -> Void)
}

/// An event of the guardian or of a device that it guards.
public enum GuardianEvent: Hashable, Sendable {
    /// A guardian is running and can write over the bus.
    case running
    /// There is no guardian, or no replacement yet; no device is guarded.
    case lost(reason: String)
    /// The guardian has the will of a device, as its answer to a ping shows. The ping was sent after the first will
    /// since ``Guardian/release(device:)``.
    case guards(device: String)
    /// The guardian stopped the motion of a device in place of the bridge.
    case ended(device: String, GuardianReport)
}

/// A device's will as the guardian needs it: object paths and bytes. The guardian does not know the device's protocol.
public struct LinkWill: Hashable, Sendable {
    /// A write to a characteristic.
    public struct Write: Hashable, Sendable {
        /// The object path of the characteristic.
        public var path: String
        /// The bytes to write.
        public var value: [UInt8]
        /// Whether the device must acknowledge the write (write with response).
        public var kind: Bluetooth.Write.Kind
        /// Whether the characteristic returns these bytes when it is read afterwards. If so, only such a read confirms
        /// the write.
        public var isReadBack: Bool

        /// Creates a write.
        public init(path: String, value: [UInt8], kind: Bluetooth.Write.Kind, isReadBack: Bool = false) {
            self.path = path
            self.value = value
            self.kind = kind
            self.isReadBack = isReadBack
        }
    }

    /// The object path of the device.
    public var device: String
    /// Whether the device can move, so that its will takes precedence over others.
    public var isSafetyCritical: Bool
    /// Whether the system uses the link too, for example the link of a keyboard; such a link stays open.
    public var isShared: Bool
    /// Whether the device stops when it loses its link; then the guardian closes the link if the writes fail.
    public var stopsWithoutLink: Bool
    /// The writes after the death of the bridge, in order. The guardian sends them, and then closes the link unless it
    /// is shared. If there are no writes, the guardian only closes the link.
    public var writes: [Write]
    /// The time until which the device may continue without a message from the bridge, on the clock of
    /// ``TimeSource/now``.
    public var deadline: Duration?
    /// What the guardian writes when the deadline has passed, in order. The link then stays open.
    public var deadlineWrites: [Write]

    /// Creates a will.
    public init(
        device: String, isSafetyCritical: Bool = false, isShared: Bool = false,
        stopsWithoutLink: Bool = false,
        writes: [Write], deadline: Duration? = nil, deadlineWrites: [Write] = []
    ) {
        self.device = device
        self.isSafetyCritical = isSafetyCritical
        self.isShared = isShared
        self.stopsWithoutLink = stopsWithoutLink
        self.writes = writes
        self.deadline = deadline
        self.deadlineWrites = deadlineWrites
    }

    /// Replaces the characteristics of a family's will by their object paths on a link; nil if the device needs no
    /// action, not even the end of the link, or if it is connected over a proxy, which the guardian cannot reach.
    public init?(_ will: Will, at place: LinkPlace, isSafetyCritical: Bool, isShared: Bool = false) {
        guard !place.isOverProxy else { return nil }
        func find(_ writes: [Bluetooth.Write]) -> [Write] {
            writes.indices.compactMap { index in
                let write = writes[index]
                // Of several writes to one characteristic, only the last can be read back.
                let isLast = !writes[(index + 1)...].contains { $0.characteristic == write.characteristic }
                return place.characteristics[write.characteristic].map {
                    Write(
                        path: $0, value: write.value, kind: write.kind,
                        isReadBack: isLast && will.readBack.contains(write.characteristic))
                }
            }
        }
        let writes = find(will.writes)
        let deadlineWrites = will.deadline == nil ? [] : will.deadlineWrites.map(find) ?? writes
        guard !writes.isEmpty || !deadlineWrites.isEmpty || !isShared else { return nil }
        self.init(
            device: place.device, isSafetyCritical: isSafetyCritical, isShared: isShared,
            stopsWithoutLink: will.stopsWithoutLink, writes: writes, deadline: will.deadline,
            deadlineWrites: deadlineWrites)
    }
}
