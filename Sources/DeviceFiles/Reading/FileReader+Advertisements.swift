import Bluetooth
import DeviceKit

// Reads the files of devices that only advertise.
extension FileReader {
    /// The keys of a device file that are not allowed for a device without a connection.
    private static let linkKeys = [
        "characteristics", "setup", "every", "goodbye", "will", "stop", "haptic", "bonding",
    ]

    mutating func readAdvertisements(_ members: Members) {
        members.refuse(Self.linkKeys, "the device is never connected")
        file.bonding = .none
        if let node = members["silent_s"], let seconds = node.integer(0...604_800) {
            if (1...9).contains(seconds) { node.mismatch(allowed: "0, or 10...604800") }
            file.silence = seconds == 0 ? nil : .seconds(seconds)
        }
        guard
            let node = members.required(
                "advertisements", "a mapping of names to service_data or manufacturer_data")
        else { return }
        for (name, node) in node.named("names to service_data or manufacturer_data", limit: 16) ?? [] {
            checkName(name, node)
            guard let members = node.members(["service_data", "manufacturer_data", "prefix", "decrypt"]),
                let key = members.exactlyOne(["service_data", "manufacturer_data"]), let value = members[key],
                let kind = kind(key, value)
            else { continue }
            var data = AdvertisedData(kind, start: members["prefix"].flatMap { pattern($0) })
            data.bthomeKey = members["decrypt"].flatMap { bthomeKey($0) }
            var entry = CharacteristicEntry(name, CharacteristicID(service: 0, uuid: 0))
            entry.advertised = data
            file.characteristics.append(entry)
        }
        if file.characteristics.isEmpty, findings.problems.isEmpty {
            node.complain("found nothing; allowed: at least one name")
        }
    }

    private func kind(_ key: String, _ node: Node) -> AdvertisedData.Kind? {
        key == "service_data"
            ? node.uuid().map { .service($0) } : node.integer(0...0xFFFF).map { .manufacturer(UInt16($0)) }
    }

    /// The setting that contains the key of BTHome 2; nil after a problem was reported.
    private func bthomeKey(_ node: Node) -> String? {
        let names = file.settings.filter(\.isSecret).map(\.field.name)
        guard let value = node.members(["bthome2"])?.required("bthome2", "a setting with secret: true") else {
            return nil
        }
        guard let name = value.scalar, names.contains(name) else {
            value.mismatch(
                allowed:
                    "a setting with secret: true\(names.isEmpty ? "" : ": \(names.joined(separator: " "))")")
            return nil
        }
        return name
    }
}
