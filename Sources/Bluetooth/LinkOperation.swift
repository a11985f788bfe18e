/// An operation on a link to a device.
public enum LinkOperation: Hashable, Sendable {
    /// Writes a value.
    case write(Write)
    /// Reads a value.
    case read(CharacteristicID)
    /// Subscribes to notifications.
    case subscribe(CharacteristicID)
    /// Unsubscribes from notifications.
    case unsubscribe(CharacteristicID)

    /// The characteristic of the operation.
    public var characteristic: CharacteristicID {
        switch self {
        case .write(let write): write.characteristic
        case .read(let id), .subscribe(let id), .unsubscribe(let id): id
        }
    }

    /// Whether the operation writes a value.
    public var isWrite: Bool {
        if case .write = self { true } else { false }
    }

    /// Whether the operation is a stop without an acknowledgement by the device. Such a stop is sent immediately,
    /// without waiting for other operations.
    public var isUnstoppable: Bool {
        guard case .write(let write) = self else { return false }
        return write.priority == .stop && write.kind == .withoutResponse
    }

    /// The priority of the operation; only writes can have a higher priority than normal.
    public var priority: Write.Priority {
        guard case .write(let write) = self else { return .normal }
        return write.priority
    }
}
