/// One thing to do on a link to a device.
public enum LinkOperation: Hashable, Sendable {
    /// Writes a value.
    case write(Write)
    /// Reads a value.
    case read(CharacteristicID)
    /// Asks for notifications.
    case subscribe(CharacteristicID)
    /// Asks for no more notifications.
    case unsubscribe(CharacteristicID)

    /// The characteristic that it is about.
    public var characteristic: CharacteristicID {
        switch self {
        case .write(let write): write.characteristic
        case .read(let id), .subscribe(let id), .unsubscribe(let id): id
        }
    }

    /// Whether it writes a value.
    public var isWrite: Bool {
        if case .write = self { true } else { false }
    }

    /// Whether it waits for nothing: a stop that the device does not acknowledge.
    public var isUnstoppable: Bool {
        guard case .write(let write) = self else { return false }
        return write.priority == .stop && write.kind == .withoutResponse
    }

    /// How urgent it is; only writes can be more urgent than others.
    public var priority: Write.Priority {
        guard case .write(let write) = self else { return .normal }
        return write.priority
    }
}
