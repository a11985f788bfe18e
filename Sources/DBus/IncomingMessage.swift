import CDBus

/// Gives access to a received message without decoding more of it than is asked for.
///
/// It belongs to the loop's thread: libdbus keeps caches in a message that are not made for several threads.
/// What is to leave the handler that received it goes out as values or as a ``Message``.
public final class IncomingMessage {
    let handle: OpaquePointer

    /// Shares the ownership of a message of libdbus.
    init(sharing handle: OpaquePointer) {
        self.handle = dbus_message_ref(handle)
    }

    /// Takes over a message of libdbus.
    init(adopting handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { dbus_message_unref(handle) }

    /// What kind of message it is.
    public var kind: Message.Kind { Message.Kind(code: dbus_message_get_type(handle)) ?? .signal }

    /// The object that is called or that signals.
    public var path: ObjectPath? {
        dbus_message_get_path(handle).map { ObjectPath(unchecked: String(cString: $0)) }
    }

    /// The interface of the method or signal.
    public var interface: String? { dbus_message_get_interface(handle).map { String(cString: $0) } }

    /// The name of the method or signal.
    public var member: String? { dbus_message_get_member(handle).map { String(cString: $0) } }

    /// Who sent it, as a unique name.
    public var sender: String? { dbus_message_get_sender(handle).map { String(cString: $0) } }

    /// Whom it was sent to; nil for a signal to everyone.
    public var destination: String? { dbus_message_get_destination(handle).map { String(cString: $0) } }

    /// The name of the error, if it is one.
    public var errorName: String? { dbus_message_get_error_name(handle).map { String(cString: $0) } }

    /// The types of its arguments, such as `sa{sv}as`.
    public var signature: String { String(cString: dbus_message_get_signature(handle)) }

    /// The number that its sender gave it.
    public var serial: UInt32 { dbus_message_get_serial(handle) }

    /// The number of the call that it answers; 0 if it is no answer.
    public var replySerial: UInt32 { dbus_message_get_reply_serial(handle) }

    /// Whether a call waits for an answer.
    public var wantsReply: Bool { dbus_message_get_no_reply(handle) == 0 }

    /// Tells whether it is this signal, without making strings.
    public func isSignal(_ member: String, of interface: String) -> Bool {
        dbus_message_get_type(handle) == DBUS_MESSAGE_TYPE_SIGNAL
            && SignalName(self).is(member, of: interface)
    }

    /// Tells whether its arguments have exactly these types, such as `sa{sv}as`, without making strings.
    public func hasSignature(_ signature: String) -> Bool {
        dbus_message_has_signature(handle, signature) != 0
    }

    /// Begins to read the arguments one by one.
    public func reader() -> Reader { Reader(self) }

    /// Decodes all arguments.
    ///
    /// - Throws: `DBusError` with `.unexpectedType` if a passed descriptor could not be taken over.
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

/// The name of a signal as it lies in the message, and valid as long as that: each look into a message for it costs more
/// than to compare it.
struct SignalName {
    let member: UnsafePointer<CChar>?
    let interface: UnsafePointer<CChar>?

    init(_ message: IncomingMessage) {
        member = dbus_message_get_member(message.handle)
        interface = dbus_message_get_interface(message.handle)
    }

    /// Whether it is this one.
    func `is`(_ member: String, of interface: String) -> Bool {
        UTF8Text.equal(self.member, member) && UTF8Text.equal(self.interface, interface)
    }
}
