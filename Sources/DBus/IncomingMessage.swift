import CDBus

/// A received message whose arguments are decoded only on request.
///
/// It belongs to the loop's thread, because the caches in a libdbus message are not thread-safe. A handler passes
/// values on as decoded values or as a ``Message``.
public final class IncomingMessage {
    let handle: OpaquePointer

    /// Retains a message of libdbus.
    init(sharing handle: OpaquePointer) {
        self.handle = dbus_message_ref(handle)
    }

    /// Adopts a message of libdbus.
    init(adopting handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { dbus_message_unref(handle) }

    /// The kind of message.
    public var kind: Message.Kind { Message.Kind(code: dbus_message_get_type(handle)) ?? .signal }

    /// The called object, or the source of the signal.
    public var path: ObjectPath? {
        dbus_message_get_path(handle).map { ObjectPath(unchecked: String(cString: $0)) }
    }

    /// The interface of the method or signal.
    public var interface: String? { dbus_message_get_interface(handle).map { String(cString: $0) } }

    /// The name of the method or signal.
    public var member: String? { dbus_message_get_member(handle).map { String(cString: $0) } }

    /// The sender's unique name.
    public var sender: String? { dbus_message_get_sender(handle).map { String(cString: $0) } }

    /// The destination; nil for a broadcast signal.
    public var destination: String? { dbus_message_get_destination(handle).map { String(cString: $0) } }

    /// The name of the error; nil for other messages.
    public var errorName: String? { dbus_message_get_error_name(handle).map { String(cString: $0) } }

    /// The types of the arguments, such as `sa{sv}as`.
    public var signature: String { String(cString: dbus_message_get_signature(handle)) }

    /// The serial number, set by the sender.
    public var serial: UInt32 { dbus_message_get_serial(handle) }

    /// The serial number of the answered call; 0 if it is not an answer.
    public var replySerial: UInt32 { dbus_message_get_reply_serial(handle) }

    /// Whether the caller waits for an answer.
    public var wantsReply: Bool { dbus_message_get_no_reply(handle) == 0 }

    /// Whether the message is this signal; creates no strings.
    public func isSignal(_ member: String, of interface: String) -> Bool {
        dbus_message_get_type(handle) == DBUS_MESSAGE_TYPE_SIGNAL
            && SignalName(self).is(member, of: interface)
    }

    /// Whether the arguments have exactly these types, such as `sa{sv}as`; creates no strings.
    public func hasSignature(_ signature: String) -> Bool {
        dbus_message_has_signature(handle, signature) != 0
    }

    /// Returns a reader of the arguments.
    public func reader() -> Reader { Reader(self) }

    /// Decodes all arguments.
    ///
    /// - Throws: `DBusError` with `.unexpectedType` if a passed descriptor could not be adopted.
    public func arguments() throws(DBusError) -> [Value] {
        var reader = reader()
        var arguments: [Value] = []
        while !reader.isAtEnd { arguments.append(try reader.value()) }
        return arguments
    }

    /// Decodes the whole message into a value that may leave the loop's thread.
    public func message() throws(DBusError) -> Message {
        var message = Message(kind: kind, arguments: try arguments())
        message.destination = destination
        message.path = path
        message.interface = interface
        message.member = member
        message.errorName = errorName
        message.sender = sender
        message.serial = serial
        message.replySerial = replySerial
        return message
    }
}

/// The interface and member of a signal, as pointers into the message's memory that are valid as long as the message.
/// They are stored because looking them up in a message costs more than comparing them.
struct SignalName {
    let member: UnsafePointer<CChar>?
    let interface: UnsafePointer<CChar>?

    init(_ message: IncomingMessage) {
        member = dbus_message_get_member(message.handle)
        interface = dbus_message_get_interface(message.handle)
    }

    /// Whether the signal has this member and this interface.
    func `is`(_ member: String, of interface: String) -> Bool {
        UTF8Text.equal(self.member, member) && UTF8Text.equal(self.interface, interface)
    }
}
