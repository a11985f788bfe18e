import CDBus

extension Message {
    /// Creates the libdbus message, which the caller has to unref.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if a name or an argument is invalid.
    func encoded(wantsReply: Bool = false) throws(DBusError) -> OpaquePointer {
        try validate()
        guard let handle = dbus_message_new(kind.code) else { throw .noMemory }
        do {
            try fill(handle, wantsReply: wantsReply)
            return handle
        } catch {
            dbus_message_unref(handle)
            throw error
        }
    }

    private func validate() throws(DBusError) {
        if let destination { try Syntax.requireBusName(destination) }
        if let interface { try Syntax.requireInterface(interface) }
        if let member { try Syntax.requireMember(member) }
        if let errorName, !Syntax.isErrorName(errorName) {
            throw .invalid("\"\(errorName)\" is not a valid error name")
        }
        switch kind {
        case .methodCall where path == nil || member == nil:
            throw .invalid("A method call needs a path and a method")
        case .signal where path == nil || member == nil || interface == nil:
            throw .invalid("A signal needs a path, an interface and a name")
        case .error where errorName == nil || replySerial == 0, .methodReturn where replySerial == 0:
            throw .invalid("An answer needs the call that it answers")
        default: break
        }
        try Self.validate(arguments)
    }

    static func validate(_ arguments: [Value]) throws(DBusError) {
        var length = 0
        for argument in arguments { length += try argument.validatedLength() }
        guard length <= Signature.maximumLength else { throw .tooLongSignature }
    }

    private func fill(_ handle: OpaquePointer, wantsReply: Bool) throws(DBusError) {
        var isDone = true
        if let destination { isDone = dbus_message_set_destination(handle, destination) != 0 }
        if let path { isDone = dbus_message_set_path(handle, path.description) != 0 && isDone }
        if let interface { isDone = dbus_message_set_interface(handle, interface) != 0 && isDone }
        if let member { isDone = dbus_message_set_member(handle, member) != 0 && isDone }
        if let errorName { isDone = dbus_message_set_error_name(handle, errorName) != 0 && isDone }
        if replySerial != 0 { isDone = dbus_message_set_reply_serial(handle, replySerial) != 0 && isDone }
        guard isDone else { throw .noMemory }
        if !wantsReply { dbus_message_set_no_reply(handle, 1) }
        if !startsService { dbus_message_set_auto_start(handle, 0) }
        if allowsInteraction { dbus_message_set_allow_interactive_authorization(handle, 1) }
        guard !arguments.isEmpty else { return }
        var writer = ValueWriter(message: handle)
        for argument in arguments { try writer.append(argument) }
    }
}

extension Message.Kind {
    var code: CInt {
        switch self {
        case .methodCall: DBUS_MESSAGE_TYPE_METHOD_CALL
        case .methodReturn: DBUS_MESSAGE_TYPE_METHOD_RETURN
        case .error: DBUS_MESSAGE_TYPE_ERROR
        case .signal: DBUS_MESSAGE_TYPE_SIGNAL
        }
    }

    init?(code: CInt) {
        switch code {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: self = .methodCall
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: self = .methodReturn
        case DBUS_MESSAGE_TYPE_ERROR: self = .error
        case DBUS_MESSAGE_TYPE_SIGNAL: self = .signal
        default: return nil
        }
    }
}
