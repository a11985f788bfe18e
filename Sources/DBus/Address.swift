import Glibc

/// The address of a message bus.
public enum Address: Sendable, Hashable, CustomStringConvertible {
    /// The system bus, which BlueZ uses.
    case system
    /// The bus of the user's session.
    case session
    /// A bus at an address of the D-Bus specification, such as `unix:path=/run/dbus/system_bus_socket`.
    case explicit(String)

    /// Creates an address from user input: `system`, `session` or a bus address.
    public init(_ text: String) {
        switch text {
        case "system": self = .system
        case "session": self = .session
        default: self = .explicit(text)
        }
    }

    /// The form in which a user enters the address.
    public var description: String {
        switch self {
        case .system: "system"
        case .session: "session"
        case .explicit(let text): text
        }
    }

    /// Returns the address of a well-known bus like libdbus, but without starting a bus.
    func resolved(_ variable: (String) -> String? = Self.environment) throws(DBusError) -> String {
        switch self {
        case .system:
            return variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .session:
            if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return address }
            if let directory = variable("XDG_RUNTIME_DIR") { return "unix:path=\(directory)/bus" }
            throw DBusError(
                code: .cannotConnect, name: DBusError.Name.noServer,
                message:
                    "There is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
        case .explicit(let text):
            guard !text.isEmpty, Syntax.isCString(text) else {
                throw DBusError(
                    code: .cannotConnect, name: DBusError.Name.badAddress,
                    message: "The address of the bus is empty or contains a zero byte")
            }
            return text
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
