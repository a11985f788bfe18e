package import Bluetooth
import Terminal

/// The result of probing a device: what its advertisement and its GATT table contain.
package struct ProbedDevice: Sendable {
    package struct Entry: Sendable {
        package var id: CharacteristicID
        package var properties: CharacteristicProperties
        /// The value; nil if it cannot be read.
        package var value: [UInt8]?
        /// The reason why reading or subscribing failed; nil if both succeeded.
        package var complaint: String?

        package init(
            _ id: CharacteristicID, _ properties: CharacteristicProperties, value: [UInt8]? = nil,
            complaint: String? = nil
        ) {
            self.id = id
            self.properties = properties
            self.value = value
            self.complaint = complaint
        }
    }

    package var address: Address
    package var name: String?
    /// The ATT MTU in bytes.
    package var mtu: Int
    package var isPaired: Bool
    /// The characteristics, by service.
    package var entries: [Entry]
    package var advertisement: Advertisement?
    /// The families that the device may belong to, the best match first, each as a line for users; nil if they were not
    /// requested.
    package var families: [String]?

    package init(
        address: Address, name: String?, mtu: Int, isPaired: Bool, entries: [Entry],
        advertisement: Advertisement? = nil
    ) {
        self.advertisement = advertisement
        self.address = address
        self.name = name
        self.mtu = mtu
        self.isPaired = isPaired
        self.entries = entries.sorted { ($0.id.service, $0.id.uuid) < ($1.id.service, $1.id.uuid) }
    }

    /// The services, in the order of their UUIDs.
    var services: [UUID] {
        entries.map(\.id.service).reduce(into: []) { list, service in
            if list.last != service { list.append(service) }
        }
    }

    /// The result as lines for users.
    package var lines: [String] {
        var lines = [
            "\(name ?? "without a name")  \(address)  MTU \(mtu)  \(isPaired ? "bonded" : "not bonded")"
                .printable
        ]
        if let families {
            lines.append("families that fit: \(families.isEmpty ? "none" : families.joined(separator: ", "))")
        }
        lines += advertisement.map(Self.advertised) ?? []
        for service in services {
            lines += ["", Self.title("service", service)]
            for entry in entries where entry.id.service == service {
                let properties = entry.properties.words.joined(separator: ", ")
                lines.append("  \(Self.title("", entry.id.uuid))  [\(properties)]")
                if let value = entry.value { lines.append("    " + Self.shown(value)) }
                if let complaint = entry.complaint { lines.append("    " + complaint.printable) }
            }
        }
        return lines
    }

    /// Returns a notification as one line, for users.
    ///
    /// - Parameter seconds: The time since the subscription.
    package static func line(_ id: CharacteristicID, _ value: [UInt8], seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded(.down))
        let time = "\(tenths / 10).\(tenths % 10)"
        return
            "\(String(repeating: " ", count: max(0, 6 - time.count)))\(time) s  \(short(id.uuid))  \(shown(value))"
    }

    private static func title(_ word: String, _ uuid: UUID) -> String {
        ([word, short(uuid), AssignedName.of(uuid) ?? ""]).filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func short(_ uuid: UUID) -> String {
        uuid.short.map { Hex.string(UInt64($0), digits: 4) } ?? uuid.description
    }

    /// Returns bytes as hexadecimal digits, followed by the text if all bytes are printable.
    static func shown(_ value: [UInt8]) -> String {
        guard !value.isEmpty else { return "(empty)" }
        let digits = Hex.string(value)
        let isText =
            value.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D } && value.count > 1
        return isText ? "\(digits)  \(String(decoding: value, as: UTF8.self).debugDescription)" : digits
    }
}

extension CharacteristicProperties {
    /// The names of the properties, as BlueZ spells them.
    package var words: [String] {
        let names: [(Self, String)] = [
            (.read, "read"), (.write, "write"), (.writeWithoutResponse, "write-without-response"),
            (.notify, "notify"), (.indicate, "indicate"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
