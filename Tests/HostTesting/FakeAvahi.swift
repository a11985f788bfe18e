import DBus
public import EventLoop

/// A service on a private bus that answers like Avahi, with a fixed list of devices on the network.
public final class FakeAvahi: Sendable {
    /// A service that a device announces.
    public struct Announced: Sendable {
        /// The name of the service.
        public var name: String
        /// The name of the device's host.
        public var host: String
        /// The address of the device.
        public var address = "192.0.2.7"
        /// The port of the service.
        public var port: UInt16 = 6053
        /// The entries of the TXT record.
        public var text: [String]

        /// Creates a service of a device with a usual address and port.
        public init(_ name: String, host: String, text: [String]) {
            (self.name, self.host, self.text) = (name, host, text)
        }
    }

    private static let type = "_esphomelib._tcp"
    private let connection: Connection

    /// Exports the service.
    ///
    /// - Parameter isFinite: Whether the service reports that no more devices are expected.
    public init(
        _ services: [Announced], isFinite: Bool = true, on bus: PrivateBus, loop: EventLoop
    ) async throws {
        let connection = try await Connection.open(bus.address, loop: loop)
        self.connection = connection
        let browse = Method.immediate("ServiceBrowserNew", takes: "iissu", returns: "o") { call in
            try connection.assumeIsolated { connection in
                // Like Avahi, it reports each device for each interface, and possibly before its answer.
                for service in services where call.arguments[2].string == Self.type {
                    for interface: Int32 in [2, 3] {
                        try connection.send(
                            Self.signal(
                                "ItemNew", to: call.sender,
                                [
                                    .int32(interface), .int32(0), .string(service.name), .string(Self.type),
                                    .string("local"), .uint32(4),
                                ]))
                    }
                }
                if isFinite { try connection.send(Self.signal("AllForNow", to: call.sender, [])) }
            }
            return [.objectPath("/Client1/ServiceBrowser1")]
        }
        let resolve = Method.immediate("ResolveService", takes: "iisssiu", returns: "iissssisqaayu") { call in
            guard let service = services.first(where: { $0.name == call.arguments[2].string }) else {
                throw DBusError(name: "org.freedesktop.Avahi.TimeoutError", message: "Timeout reached")
            }
            let text = Value.array(
                service.text.map { .bytes(Array($0.utf8)) }, of: .array(.byte))
            return [
                .int32(2), .int32(0), .string(service.name), .string(Self.type), .string("local"),
                .string(service.host), .int32(0), .string(service.address), .uint16(service.port), text,
                .uint32(4),
            ]
        }
        try await connection.export(
            [Interface("org.freedesktop.Avahi.Server", methods: [browse, resolve])], at: .root)
        _ = try await connection.requestName("org.freedesktop.Avahi")
    }

    /// Leaves the bus.
    public func close() async { await connection.close() }

    private static func signal(_ name: String, to receiver: String, _ arguments: [Value]) -> Message {
        Message(
            signal: name, of: "org.freedesktop.Avahi.ServiceBrowser", at: "/Client1/ServiceBrowser1",
            to: receiver, arguments)
    }
}
