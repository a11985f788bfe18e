import CDBus

/// What is called, with what.
public enum CallRequest {
    /// A call that is made once in a while.
    case message(Message)
    /// One that is made often.
    case template(CallTemplate, [Value])

    /// What is called, for error messages.
    var operation: String {
        switch self {
        case .message(let message): message.operation
        case .template(let template, _): template.message.operation
        }
    }

    /// What stays of it while it waits for its answer; descriptors are not held open.
    var withoutArguments: CallRequest {
        switch self {
        case .message(var message):
            message.arguments = []
            return .message(message)
        case .template(let template, _): return .template(template, [])
        }
    }

    /// Makes libdbus's form of the message; the caller has to unref it.
    func encoded() throws(DBusError) -> OpaquePointer {
        switch self {
        case .message(let message):
            guard message.kind == .methodCall else { throw .invalid("Only a method call has an answer") }
            return try message.encoded(wantsReply: true)
        case .template(let template, let arguments): return try template.encoded(arguments)
        }
    }
}

/// A method call that is made often with other arguments: its names are checked and encoded once.
///
/// It belongs to the loop's thread, as the messages of libdbus do.
public final class CallTemplate {
    let message: Message
    private let handle: OpaquePointer

    /// Makes a template of a method call; its arguments are left out.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if it is no method call or a name is not allowed.
    public init(_ message: Message) throws(DBusError) {
        var message = message
        message.arguments = []
        handle = try CallRequest.message(message).encoded()
        self.message = message
    }

    deinit { dbus_message_unref(handle) }

    fileprivate func encoded(_ arguments: [Value]) throws(DBusError) -> OpaquePointer {
        try Message.validate(arguments)
        guard let copy = dbus_message_copy(handle) else { throw .noMemory }
        do {
            var writer = ValueWriter(message: copy)
            for argument in arguments { try writer.append(argument) }
            return copy
        } catch {
            dbus_message_unref(copy)
            throw error
        }
    }
}
