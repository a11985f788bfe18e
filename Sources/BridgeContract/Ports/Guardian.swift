public import Bluetooth
public import DeviceKit

/// The bridge's way to the guardian: a process of its own that holds the devices' wills and carries them out when
/// the bridge cannot make the devices safe any more.
public protocol Guardian: Sendable {
    /// Takes the will of a connected device, in the place of an earlier one; it never waits.
    func keep(_ will: LinkWill)
    /// Lets go of a device: it has no link any more, or nothing needs to be done for it.
    func release(device: String)
    /// Hands a device over: the guardian carries out the will that it keeps of it now, as if the bridge were dead,
    /// and goes on when the bridge ends. A new will of the device calls that off.
    func carryOut(device: String)
    /// Tells what becomes of the guardian and what it did in the bridge's place, from the moment of the call on; first
    /// whether there is one. One caller.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event as it happens: nothing waits in between. No
    ///   other call of this port calls it before it returns.
    func onEvent(_ handler: @escaping @Sendable (GuardianEvent) -> Void)
}

/// What becomes of the guardian, and of a device.
public enum GuardianEvent: Hashable, Sendable {
    /// A guardian runs: it can write over the bus.
    case running
    /// There is no guardian, or not yet another one: none has the will of any device.
    case lost(reason: String)
    /// The guardian answered a ping that was sent after the first will of a device since ``Guardian/release(device:)``: it
    /// has that will.
    case guards(device: String)
    /// The guardian had to end the motion of a device in the bridge's place.
    case ended(device: String, GuardianReport)
}

/// A device's will with everything that a process needs that knows nothing of the device.
public struct LinkWill: Hashable, Sendable {
    /// One write.
    public struct Write: Hashable, Sendable {
        /// The characteristic's object path.
        public var path: String
        /// The bytes.
        public var value: [UInt8]
        /// How it is written.
        public var kind: Bluetooth.Write.Kind
        /// Whether the characteristic then reads back these bytes: only that confirms the write.
        public var isReadBack: Bool

        /// Makes a write.
        public init(path: String, value: [UInt8], kind: Bluetooth.Write.Kind, isReadBack: Bool = false) {
            self.path = path
            self.value = value
            self.kind = kind
            self.isReadBack = isReadBack
        }
    }

    /// The device's object path.
    public var device: String
    /// Whether it goes before others: it moves.
    public var isSafetyCritical: Bool
    /// Whether the system uses the link too, as a keyboard's: it is left standing.
    public var isShared: Bool
    /// Whether the device stops by itself when it loses its link: then the link is closed if its writes do not work.
    public var stopsWithoutLink: Bool
    /// The writes when the bridge is dead, in order; the link is closed after them, unless it is shared. Without any the
    /// link is all that is left behind.
    public var writes: [Write]
    /// Until when the device may go on without a word from the bridge, on the clock of ``TimeSource/now``.
    public var deadline: Duration?
    /// The writes when the deadline is over, in order; the link stays.
    public var deadlineWrites: [Write]

    /// Makes a will of its parts.
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

    /// Finds the characteristics of a family's will on a link; nil if nothing needs to be done, not even to close it.
    public init?(_ will: Will, at place: LinkPlace, isSafetyCritical: Bool, isShared: Bool = false) {
        func find(_ writes: [Bluetooth.Write]) -> [Write] {
            writes.indices.compactMap { index in
                let write = writes[index]
                // Of several writes to one characteristic only the last can be read back.
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
