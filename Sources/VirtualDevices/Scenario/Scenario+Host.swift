import Bluetooth

extension Scenario {
    /// A host near the devices, with a Bluetooth service on a bus of its own.
    public struct Host: Hashable, Sendable {
        /// Its name, by which live lines and reports call it.
        public var name: String
        /// The address of its bus; nil for a private one.
        public var bus: String?
        /// How it hears devices, by their names; the others at the signal strength of the device.
        public var reaches: [String: Reach] = [:]
        /// The names of the devices that have a bond with it from the start; nil for those that have one with every
        /// host.
        public var bonds: Set<String>?
        /// After what silence its links are lost; nil for what the radio of all says.
        public var supervisionTimeout: Duration?

        /// Makes a host that hears every device as the device says.
        public init(name: String, bus: String? = nil, reaches: [String: Reach] = [:]) {
            self.name = name
            self.bus = bus
            self.reaches = reaches
        }

        /// The most hosts that there can be.
        package static let most = 64

        /// Whether a host can be called so: a word that no live line means otherwise.
        package static func isName(_ text: String) -> Bool {
            !text.isEmpty
                && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        }

        /// What can be a host's name.
        package static let expectedName = "a name of letters, digits, '-', '_' and '.'"
    }

    /// Reads the section `hosts`, once the devices are known.
    mutating func readHosts(_ reader: MappingReader) throws(ScenarioError) {
        guard reader.keys.count <= Host.most else {
            throw ScenarioError(
                .invalidValue, file: reader.file, line: reader.line, key: reader.path,
                message: "\(reader.keys.count) hosts found, expected at most \(Host.most)")
        }
        let names = devices.map(\.name)
        for entry in reader.keys {
            hosts.append(try Host(entry, file: reader.file, devices: names))
        }
        for device in devices {
            for step in device.steps {
                guard case .move(let placements) = LiveLine.Action(step.act) else { continue }
                let unknown = placements.first { placement in !hosts.contains { $0.name == placement.host } }
                guard let unknown else { continue }
                throw ScenarioError(
                    .invalidValue, file: reader.file, line: reader.line, key: "devices.\(device.name).acts",
                    message: "no host named '\(unknown.host)'; there are: "
                        + hosts.map(\.name).joined(separator: ", "))
            }
        }
    }
}

extension Scenario.Host {
    fileprivate init(_ entry: ScenarioNode.Entry, file: String, devices: [String]) throws(ScenarioError) {
        guard Self.isName(entry.key) else {
            throw ScenarioError(
                .invalidValue, file: file, line: entry.line, key: "hosts",
                message: "'\(entry.key)' found, expected \(Self.expectedName)")
        }
        var reader = try MappingReader(entry.value, path: "hosts.\(entry.key)", file: file)
        self.init(name: entry.key)
        bus = try reader.scalar("bus", expected: "the address of a bus") { $0.isEmpty ? nil : $0 }
        if let levels = try reader.mapping("rssi") {
            for level in levels.keys {
                guard devices.contains(level.key) else {
                    throw levels.invalid(
                        ScenarioNode(line: level.line, .scalar(level.key)), level.key,
                        expected: "a device: \(devices.joined(separator: ", "))")
                }
                guard case .scalar(let text) = level.value.content, let reach = Reach(text) else {
                    throw levels.invalid(level.value, level.key, expected: Reach.expected)
                }
                reaches[level.key] = reach
            }
        }
        let expected = "a list of devices: \(devices.joined(separator: ", "))"
        bonds = try reader.list("bonds", expected: expected) { devices.contains($0) ? $0 : nil }
            .map { Set($0) }
        supervisionTimeout = try reader.duration("supervision_timeout", from: .milliseconds(1))
        try reader.finish()
    }
}
