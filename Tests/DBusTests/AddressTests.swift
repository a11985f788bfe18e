import Testing

@testable import DBus

@Suite("Addresses of buses")
struct AddressTests {
    @Test(
        "The address of a bus is resolved like in libdbus",
        arguments: [
            ("system", [:], "unix:path=/run/dbus/system_bus_socket"),
            ("system", ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/a"], "unix:path=/a"),
            (
                "session", ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/b", "XDG_RUNTIME_DIR": "/run/1"],
                "unix:path=/b"
            ),
            ("session", ["XDG_RUNTIME_DIR": "/run/1"], "unix:path=/run/1/bus"),
            ("tcp:host=a,port=1", [:], "tcp:host=a,port=1"),
        ] as [(String, [String: String], String)])
    func resolved(text: String, environment: [String: String], expected: String) throws {
        #expect(try Address(text).resolved { environment[$0] } == expected)
        #expect(Address(text).description == text)
    }

    @Test("Without a session the error names the missing variables")
    func noSession() {
        let error = #expect(throws: DBusError.self) { try Address.session.resolved { _ in nil } }
        #expect(error?.code == .cannotConnect)
        #expect(error?.message.contains("XDG_RUNTIME_DIR") == true)
    }
}
