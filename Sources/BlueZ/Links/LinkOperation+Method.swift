import Bluetooth
import DBus

extension LinkOperation {
    var method: String {
        switch self {
        case .write: "WriteValue"
        case .read: "ReadValue"
        case .subscribe: "StartNotify"
        case .unsubscribe: "StopNotify"
        }
    }
}

extension Write.Kind {
    /// The options of `WriteValue` for this kind of write.
    var options: Value { self == .withResponse ? Self.request : Self.command }

    private static let request = Value.properties(["type": .string("request")])
    private static let command = Value.properties(["type": .string("command")])
}
