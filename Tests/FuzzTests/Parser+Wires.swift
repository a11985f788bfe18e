import BlueZ
import Bluetooth
import CDBus
import DeviceCatalog
import DeviceKit

@testable import DBus

/// Messages of the message bus.
extension Parser {
    static let wires = [
        Parser(name: "dbus") { bytes in
            guard let incoming = incomingMessage(bytes) else { return [] }
            _ = (incoming.wantsReply, incoming.isSignal("PropertiesChanged", of: "org.bluez.Device1"))
            guard let message = try unlessRefused({ try incoming.message() }) else { return [] }
            // libdbus accepts names that must not be sent, such as a local path. All other messages are reproduced.
            guard let handle = try? message.encoded(), let again = wireForm(handle) else { return [] }
            guard let second = incomingMessage(again) else { return ["cannot be read back"] }
            guard let encoded = try? second.message().encoded(), let third = wireForm(encoded) else {
                return ["cannot be written again"]
            }
            return third == again ? [] : ["comes back as something else: \(message)"]
        },
        // BlueZ's properties of a device, from which an advertisement is created.
        Parser(name: "advertisement") { bytes in
            guard let incoming = incomingMessage(bytes) else { return [] }
            var device = Device(
                path: "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF",
                properties: ["Address": .string("AA:BB:CC:DD:EE:FF")])
            for argument in try unlessRefused({ try incoming.arguments() }) ?? [] {
                guard case .dictionary = argument, let properties = argument.properties else { continue }
                device?.apply(properties, invalidated: Array(properties.keys))
                device?.apply(properties, invalidated: [])
                _ = Device(path: "/", properties: properties)
            }
            guard let advertisement = device?.advertisement else { return ["the device is gone"] }
            _ = Registry.families.recognizing(advertisement)
            return []
        },
    ]

    /// The decoded value; nil if the message was rejected as documented, because the bytes contain none of the file
    /// descriptors that they refer to.
    private static func unlessRefused<Value>(_ decode: () throws -> Value) throws -> Value? {
        do {
            return try decode()
        } catch let error as DBus.DBusError where error.code == .unexpectedType {
            return nil
        }
    }

    private static func incomingMessage(_ bytes: [UInt8]) -> IncomingMessage? {
        let handle = bytes.withUnsafeBytes { buffer in
            dbus_message_demarshal(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil)
        }
        return handle.map { IncomingMessage(adopting: $0) }
    }

    /// Encodes a message and takes ownership of it.
    private static func wireForm(_ handle: OpaquePointer) -> [UInt8]? {
        defer { dbus_message_unref(handle) }
        dbus_message_set_serial(handle, 1)
        var (text, length): (UnsafeMutablePointer<CChar>?, CInt) = (nil, 0)
        guard dbus_message_marshal(handle, &text, &length) != 0, let text else { return nil }
        defer { dbus_free(text) }
        return UnsafeRawBufferPointer(start: text, count: Int(length)).map { $0 }
    }
}
