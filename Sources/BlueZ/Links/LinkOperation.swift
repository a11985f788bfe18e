public import Bluetooth

/// One thing to do with a characteristic of a link.
public enum LinkOperation: Hashable, Sendable {
    /// Write a value.
    case write([UInt8], to: CharacteristicID, WriteKind)
    /// Read the value.
    case read(CharacteristicID)
    /// Ask for notifications (or indications).
    case subscribe(CharacteristicID)
    /// Ask for no more of them.
    case unsubscribe(CharacteristicID)

    /// The characteristic.
    public var characteristic: CharacteristicID {
        switch self {
        case .write(_, to: let id, _), .read(let id), .subscribe(let id), .unsubscribe(let id): id
        }
    }

    /// What bluetoothd calls it.
    var method: String {
        switch self {
        case .write: "WriteValue"
        case .read: "ReadValue"
        case .subscribe: "StartNotify"
        case .unsubscribe: "StopNotify"
        }
    }
}
