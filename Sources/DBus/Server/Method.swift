/// A method of an exported object with its handler.
///
/// A handler answers by returning values of the declared types, or by throwing a `DBusError`. Any other error becomes
/// `org.freedesktop.DBus.Error.Failed`.
public struct Method: Sendable {
    enum Handler: Sendable {
        case immediate(@Sendable (MethodCall) throws -> [Value])
        case waiting(@Sendable (MethodCall) async throws -> [Value])
        case deferred(@Sendable (MethodCall, Answer) -> Void)
    }

    /// The name of the method.
    public let name: String
    /// The types of the arguments.
    public let takes: Signature
    /// The types of the results.
    public let returns: Signature
    let handler: Handler

    private init(_ name: String, _ takes: Signature, _ returns: Signature, _ handler: Handler) {
        self.name = name
        self.takes = takes
        self.returns = returns
        self.handler = handler
    }

    /// Creates a method whose handler runs on the loop's thread and answers synchronously; it must not block.
    public static func immediate(
        _ name: String, takes: Signature = "", returns: Signature = "",
        _ handler: @escaping @Sendable (MethodCall) throws -> [Value]
    ) -> Method {
        Method(name, takes, returns, .immediate(handler))
    }

    /// Creates a method with an asynchronous handler. It starts on the loop's thread, in the order of the calls, and is
    /// canceled when the connection ends.
    public static func waiting(
        _ name: String, takes: Signature = "", returns: Signature = "",
        _ handler: @escaping @Sendable (MethodCall) async throws -> [Value]
    ) -> Method {
        Method(name, takes, returns, .waiting(handler))
    }

    /// Creates a method whose handler runs on the loop's thread and answers later, on any thread, or never.
    public static func deferred(
        _ name: String, takes: Signature = "", returns: Signature = "",
        _ handler: @escaping @Sendable (MethodCall, Answer) -> Void
    ) -> Method {
        Method(name, takes, returns, .deferred(handler))
    }
}
