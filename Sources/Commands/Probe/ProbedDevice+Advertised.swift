package import Bluetooth

extension ProbedDevice {
    /// The parts of an advertisement in lines, for users.
    package static func advertised(_ advertisement: Advertisement) -> [String] {
        advertisement.services.sorted().map { "advertises the service \(short($0))" }
            + parts(advertisement).map { "advertises \($0.title)  \(shown($0.data))" }
    }

    /// A draft of a device file for a device that only advertises.
    package static func deviceFile(advertisedBy advertisement: Advertisement) -> String {
        let parts = parts(advertisement)
        let name = advertisement.name
        var lines = [
            "version: 2", "family: \(word(name ?? "device"))", "title: \(quoted(name ?? "Unknown device"))",
            "source: found by tactile-bridge probe   # the documents from which you know what the bytes mean",
            "match:", "  - { address: \"\(advertisement.address)\" }", "connect: never", "advertisements:",
        ]
        lines += parts.map { "  \($0.name): { \($0.key) }" } + ["features:"]
        for part in parts {
            lines += [
                "  \(part.name):", "    summary: The \(part.title).", "    kind: state",
                "    from: \(part.name)",
                "    packet: [ { value: hex } ]",
            ]
        }
        lines.append("examples:")
        lines += parts.map { part in
            let hex = Hex.string(part.data)
            return "  - { advertise: \(part.name), hex: \"\(hex)\", publishes: { \(part.name): \"\(hex)\" } }"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private struct Part {
        var name: String
        /// A condition of a device file's section `advertisements`: its key and its value.
        var key: String
        var title: String
        var data: [UInt8]
    }

    private static func parts(_ advertisement: Advertisement) -> [Part] {
        advertisement.serviceData.sorted { $0.key < $1.key }.map { service, data in
            Part(
                name: "s_\(tail(service))", key: "service_data: \(short(service))",
                title: "service data of \(short(service))", data: data)
        }
            + advertisement.manufacturerData.sorted { $0.key < $1.key }.map { company, data in
                let digits = Hex.string(UInt64(company), digits: 4)
                return Part(
                    name: "m_\(digits)", key: "manufacturer_data: 0x\(digits)",
                    title: "manufacturer data of 0x\(digits)", data: data)
            }
    }
}
