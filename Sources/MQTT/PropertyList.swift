import CMosquitto
import Glibc

/// A list of MQTT 5 properties for libmosquitto. The list is freed when this value is destroyed.
struct PropertyList: ~Copyable {
    private(set) var pointer: OpaquePointer?

    deinit {
        var list = pointer
        mosquitto_property_free_all(&list)
    }

    mutating func add(_ property: mqtt5_property, _ bytes: [UInt8]) {
        mosquitto_property_add_binary(
            &pointer, CInt(property.rawValue), bytes, UInt16(clamping: bytes.count))
    }

    mutating func add(_ property: mqtt5_property, _ text: String) {
        mosquitto_property_add_string(&pointer, CInt(property.rawValue), text)
    }
}

/// The properties of a received packet, valid only during a callback of libmosquitto.
struct ReceivedProperties {
    let list: OpaquePointer?

    func string(_ property: mqtt5_property) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard list != nil,
            mosquitto_property_read_string(list, CInt(property.rawValue), &text, false) != nil, let text
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    func bytes(_ property: mqtt5_property) -> [UInt8]? {
        var data: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard list != nil,
            mosquitto_property_read_binary(list, CInt(property.rawValue), &data, &count, false) != nil
        else { return nil }
        defer { free(data) }
        return data.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
    }

    func int32(_ property: mqtt5_property) -> UInt32? {
        var value: UInt32 = 0
        let found = mosquitto_property_read_int32(list, CInt(property.rawValue), &value, false)
        return found == nil ? nil : value
    }

    func int16(_ property: mqtt5_property) -> UInt16? {
        var value: UInt16 = 0
        let found = mosquitto_property_read_int16(list, CInt(property.rawValue), &value, false)
        return found == nil ? nil : value
    }
}
