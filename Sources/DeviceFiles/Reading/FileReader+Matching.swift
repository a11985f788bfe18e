import Bluetooth

extension FileReader {
    mutating func readMatches(_ members: Members) {
        let keys = ["name", "service", "manufacturer", "data", "address"]
        guard let node = members.required("match", "a list of \(keys.joined(separator: " "))"),
            let entries = node.list(of: "mappings with \(keys.joined(separator: " "))", limit: 16)
        else { return }
        if entries.isEmpty { node.complain("found an empty list; allowed: at least one entry") }
        for entry in entries {
            guard let members = entry.members(keys, version2: ["service_data"]) else { continue }
            var match = DeviceMatch()
            if let node = members["name"], let text = node.text(1...64) {
                let glob = Glob(text)
                if glob.literals < 3 {
                    node.complain(
                        "found \(text); allowed: a name with at least three characters other than * and ?")
                }
                match.name = glob
            }
            match.service = members["service"]?.uuid()
            if let company = members["manufacturer"]?.integer(0...0xFFFF) {
                match.manufacturer = DeviceMatch.Manufacturer(company: UInt16(company))
            }
            if let service = members["service_data"]?.uuid() {
                match.serviceData = DeviceMatch.ServiceData(service: service)
            }
            if let data = members["data"] {
                switch members.given(["manufacturer", "service_data"]).count {
                case 0: entry.complain("manufacturer is missing; allowed: a company's number")
                case 1: break
                default:
                    data.complain(
                        "found data of two kinds; allowed: manufacturer or service_data in an entry")
                }
                match.manufacturer?.data = pattern(data)
                match.serviceData?.data = pattern(data)
            }
            if let node = members["address"] {
                match.address = node.scalar.flatMap { Address($0[...]) }
                if match.address == nil { node.mismatch(allowed: "an address such as AA:BB:CC:DD:EE:FF") }
            }
            if members.list.isEmpty {
                entry.complain("found nothing; allowed: \(keys.joined(separator: " "))")
            }
            file.matches.append(match)
        }
    }

    /// Returns a pattern of bytes with wildcards; nil after a problem was reported.
    func pattern(_ node: Node) -> BytePattern? {
        guard let text = node.scalar, let pattern = BytePattern(text), pattern.bytes.count <= 64 else {
            node.mismatch(allowed: "1...64 bytes as pairs of hexadecimal digits, . for any digit")
            return nil
        }
        return pattern
    }

    mutating func readCharacteristics(_ node: Node) {
        let nodes = node.named("names to service and uuid", limit: 64) ?? []
        for (name, node) in nodes {
            if !Node.isName(name) {
                node.complain(
                    "found the name \(name); allowed: a lowercase letter, then lowercase letters, digits and _"
                )
            }
            let keys = ["service", "uuid", "optional", "lines", "idle_ms", "ignore"]
            guard let members = node.members(keys, version2: ["also", "answers"]) else { continue }
            let pairs = [characteristicID(members)] + alternatives(members["also"])
            var lines: CharacteristicEntry.Lines?
            if let end = members["lines"]?.text(1...8, allowed: "the end of a line, such as \"\\n\"") {
                lines = CharacteristicEntry.Lines(end: Array(end.utf8))
            }
            if let idle = members["idle_ms"]?.milliseconds(1...10_000) {
                lines = lines ?? CharacteristicEntry.Lines()
                lines?.idle = idle
            }
            if let ignore = members["ignore"] {
                if lines == nil {
                    ignore.complain("found ignore without lines; allowed: with lines or idle_ms")
                }
                lines?.ignored = (ignore.list(of: "lines", limit: 64) ?? []).compactMap { $0.text(0...512) }
            }
            let isOptional = members["optional"]?.flag() ?? false
            let ids = pairs.compactMap { $0 }
            if let other = file.characteristics.first(where: { !Set(ids).isDisjoint(with: $0.ids) }) {
                node.complain("found the characteristic of \(other.name); allowed: one name for each")
            }
            var entry = CharacteristicEntry(
                name, ids.first ?? CharacteristicID(service: 0, uuid: 0), isOptional: isOptional, lines: lines
            )
            entry.alternatives = Array(ids.dropFirst())
            file.characteristics.append(entry)
        }
        readControlPoints(nodes)
        if file.characteristics.isEmpty, findings.problems.isEmpty {
            node.complain("found nothing; allowed: at least one characteristic")
        }
    }

    /// A service and a characteristic of it; nil after a problem was reported.
    private func characteristicID(_ members: Members) -> CharacteristicID? {
        let service = members.required("service", "a UUID")?.uuid()
        let uuid = members.required("uuid", "a UUID")?.uuid()
        guard let service, let uuid else { return nil }
        return CharacteristicID(service: service, uuid: uuid)
    }

    private func alternatives(_ node: Node?) -> [CharacteristicID?] {
        let entries = node?.list(of: "pairs of service and uuid", limit: 8) ?? []
        if let node, entries.isEmpty { node.complain("found an empty list; allowed: 1...8 pairs") }
        return entries.map { $0.members(["service", "uuid"]).flatMap { characteristicID($0) } }
    }

    /// Returns the index of the named characteristic; nil after a problem was reported.
    func characteristic(_ node: Node?) -> Int? {
        guard let node else { return nil }
        let names = file.characteristics.map(\.name)
        return node.choice(names).flatMap { names.firstIndex(of: $0) }
    }
}
