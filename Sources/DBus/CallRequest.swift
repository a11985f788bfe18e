import CDBus

/// A method call with its arguments.
public enum CallRequest {
    /// A call that is made rarely. The case is indirect, because the names in a message would make every copy of a
    /// request large.
    indirect case message(Message)
    /// A call that is made often, with these bytes as its first argument.
    case template(CallTemplate, [UInt8])

    /// The called method, for error messages.
    var operation: String {
        switch self {
        case .message(let message): message.operation
        case .template(let template, _): template.message.operation
        }
    }

    /// The request without its arguments, so that a request that waits for its answer keeps no descriptors open.
    var withoutArguments: CallRequest {
        switch self {
        case .message(var message):
            message.arguments = []
            return .message(message)
        case .template(let template, _): return .template(template, [])
        }
    }

    /// Creates the libdbus message, which the caller has to unref.
    func encoded() throws(DBusError) -> OpaquePointer {
        switch self {
        case .message(let message):
            guard message.kind == .methodCall else { throw .invalid("Only a method call has an answer") }
            return try message.encoded(wantsReply: true)
        case .template(let template, let bytes): return try template.encoded(bytes)
        }
    }
}

/// A method call that is made often with different bytes as its first argument; the names and the other arguments are
/// validated and encoded once.
///
/// It belongs to the loop's thread, like the messages of libdbus.
public final class CallTemplate {
    let message: Message
    /// The encoded call without arguments, which is copied for each call.
    private let head: OpaquePointer
    /// The arguments after the first argument, which contains the bytes.
    private let rest: [Value]
    /// The last encoded call, which is copied for the next call of the same length, and the number of bytes in its
    /// first argument.
    private var former: (handle: OpaquePointer, count: Int)?

    /// Creates a template of a method call.
    ///
    /// - Parameter message: The call. Its arguments follow the bytes, which are the first argument.
    /// - Throws: `DBusError` with `.invalidValue` if it is not a method call, or if a name or an argument is invalid.
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

    /// Creates the libdbus message of the call, which the caller has to unref.
    ///
    /// A call with the same length as the previous one is a copy of it with different bytes. For every appended
    /// argument, libdbus rewrites the types of all arguments, which costs five times as much as all other work for the
    /// call.
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
        // This call makes libdbus locate the header fields once. Otherwise libdbus locates them in each copy, which
        // costs as much as all other work for the call.
        _ = dbus_message_get_signature(new)
        if let former { dbus_message_unref(former.handle) }
        former = bytes.isEmpty ? nil : (dbus_message_ref(new), bytes.count)
        return new
    }

    /// Overwrites a call's bytes with the same number of other bytes. This is safe because no other code has the call
    /// yet, and a message stores bytes unchanged. libdbus provides only read access to this memory.
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
