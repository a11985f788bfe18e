import CDBus

/// What is called, with what.
public enum CallRequest {
    /// A call that is made once in a while; its names would make each copy of a request long.
    indirect case message(Message)
    /// One that is made often, with these bytes as its first argument.
    case template(CallTemplate, [UInt8])

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
        case .template(let template, let bytes): return try template.encoded(bytes)
        }
    }
}

/// A method call that is made often with other bytes as its first argument: the rest is checked and encoded
/// once.
///
/// It belongs to the loop's thread, as the messages of libdbus do.
public final class CallTemplate {
    let message: Message
    /// The call without arguments.
    private let head: OpaquePointer
    /// What stands behind the bytes.
    private let rest: [Value]
    /// The call that was encoded last, and how many bytes it holds.
    private var former: (handle: OpaquePointer, count: Int)?

    /// Makes a template of a method call.
    ///
    /// - Parameter message: The call; its arguments stand behind the bytes.
    /// - Throws: `DBusError` with `.invalidValue` if it is no method call, or a name or an argument is not
    ///   allowed.
    public init(_ message: Message) throws(DBusError) {
        rest = message.arguments
        try Message.validate([.bytes([])] + rest)
        var message = message
        message.arguments = []
        head = try CallRequest.message(message).encoded()
        self.message = message
    }

    deinit {
        if let former { dbus_message_unref(former.handle) }
        dbus_message_unref(head)
    }

    /// Makes libdbus's form of the call; the caller has to unref it.
    ///
    /// A call of the same length as the one before is a copy of that with other bytes: libdbus writes the
    /// types of all arguments anew for each that is appended, which costs five times as much as all the rest
    /// of a call.
    fileprivate func encoded(_ bytes: [UInt8]) throws(DBusError) -> OpaquePointer {
        if let former, former.count == bytes.count {
            guard let copy = dbus_message_copy(former.handle) else { throw .noMemory }
            if Self.replaceBytes(of: copy, by: bytes) { return copy }
            dbus_message_unref(copy)
        }
        guard let new = dbus_message_copy(head) else { throw .noMemory }
        do {
            var writer = ValueWriter(message: new)
            try writer.append(.bytes(bytes))
            for argument in rest { try writer.append(argument) }
        } catch {
            dbus_message_unref(new)
            throw error
        }
        // Has libdbus find the fields of the header once: else it looks for them in each copy, which costs as much as
        // all the rest of a call.
        _ = dbus_message_get_signature(new)
        if let former { dbus_message_unref(former.handle) }
        former = bytes.isEmpty ? nil : (dbus_message_ref(new), bytes.count)
        return new
    }

    /// Puts other bytes in the place of a call's own, as many as they are. No other code has the call yet,
    /// and bytes stand in a message as they are: libdbus lends their memory to be read, and has no function
    /// to write there.
    private static func replaceBytes(of call: OpaquePointer, by bytes: [UInt8]) -> Bool {
        var arguments = DBusMessageIter()
        guard dbus_message_iter_init(call, &arguments) != 0 else { return false }
        var array = DBusMessageIter()
        dbus_message_iter_recurse(&arguments, &array)
        var start: UnsafePointer<UInt8>?
        var count: CInt = 0
        dbus_message_iter_get_fixed_array(&array, &start, &count)
        guard let start, Int(count) == bytes.count else { return false }
        bytes.withUnsafeBufferPointer { new in
            guard let first = new.baseAddress else { return }
            UnsafeMutablePointer(mutating: start).update(from: first, count: new.count)
        }
        return true
    }
}
