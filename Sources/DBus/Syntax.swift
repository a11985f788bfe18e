import CDBus

/// Validates names, because libdbus aborts the process on an invalid name.
package enum Syntax {
    package static func isPath(_ text: String) -> Bool {
        isCString(text) && dbus_validate_path(text, nil) != 0
    }

    package static func isInterface(_ text: String) -> Bool {
        isCString(text) && dbus_validate_interface(text, nil) != 0
    }

    package static func isMember(_ text: String) -> Bool {
        isCString(text) && dbus_validate_member(text, nil) != 0
    }

    package static func isErrorName(_ text: String) -> Bool {
        isCString(text) && dbus_validate_error_name(text, nil) != 0
    }

    package static func isBusName(_ text: String) -> Bool {
        isCString(text) && dbus_validate_bus_name(text, nil) != 0
    }

    /// Whether a text contains no zero byte, which a D-Bus string cannot contain.
    package static func isCString(_ text: String) -> Bool {
        !text.utf8.contains(0)
    }

    package static func requireInterface(_ text: String) throws(DBusError) {
        guard isInterface(text) else { throw .invalid("\"\(text)\" is not a valid interface name") }
    }

    package static func requireMember(_ text: String) throws(DBusError) {
        guard isMember(text) else { throw .invalid("\"\(text)\" is not a valid method or signal name") }
    }

    package static func requireBusName(_ text: String) throws(DBusError) {
        guard isBusName(text) else { throw .invalid("\"\(text)\" is not a valid bus name") }
    }
}
