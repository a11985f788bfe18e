import Bluetooth
package import DeviceFiles

extension Scenario {
    /// Reads the device file at a path in a scenario, or returns its problems.
    package typealias FileReading = (String) -> Result<DeviceFile, DeviceFileError>

    /// Reads a scenario file.
    ///
    /// - Parameters:
    ///   - node: The file's content. Nil and an empty node give ``standard``.
    ///   - file: The file name for errors.
    ///   - reading: Reads device files; nil if scenarios cannot refer to device files.
    /// - Throws: ``ScenarioError`` with file, line, key, and the actual and the allowed value.
    package init(_ node: ScenarioNode?, file: String, reading: FileReading? = nil) throws(ScenarioError) {
        var reader = try MappingReader(node ?? ScenarioNode(line: 1, .scalar("")), path: "", file: file)
        seed = UInt64(try reader.integer("seed", in: 0...Int.max) ?? 1)
        radio = try Radio(try reader.mapping("bluez"))
        devices = Self.standard.devices
        if let named = try reader.mapping("devices") {
            devices = []
            for entry in named.keys {
                var reader = try MappingReader(entry.value, path: "devices.\(entry.key)", file: file)
                let count = try reader.integer("count", in: 1...1000)
                let device = try Device(entry, &reader, number: devices.count + 1, reading)
                devices += count.map(device.copies) ?? [device]
            }
        }
        let hosts = try reader.mapping("hosts")
        try reader.finish()
        guard !devices.isEmpty else {
            throw reader.missing("devices", expected: "at least one device")
        }
        var names: Set<String> = []
        for device in devices where !names.insert(device.name).inserted {
            throw ScenarioError(
                .invalidValue, file: file, line: reader.line, key: "devices.\(device.name)",
                message: "'\(device.name)' is already the name of another device; expected a different name")
        }
        var addresses: Set<Address> = []
        for device in devices where !addresses.insert(device.address).inserted {
            throw ScenarioError(
                .invalidValue, file: file, line: reader.line, key: "devices.\(device.name).address",
                message:
                    "'\(device.address)' is already the address of another device; expected a different address"
            )
        }
        if let hosts { try readHosts(hosts) }
    }
}

extension Scenario.Device {
    /// Reads one device. The key is its name.
    init(
        _ entry: ScenarioNode.Entry, _ reader: inout MappingReader, number: Int,
        _ reading: Scenario.FileReading?
    ) throws(ScenarioError) {
        guard !entry.key.isEmpty, !entry.key.contains(where: \.isWhitespace) else {
            throw ScenarioError(
                .invalidValue, file: reader.file, line: entry.line, key: "devices",
                message: "'\(entry.key)' found, expected a name without spaces")
        }
        let kinds = Scenario.Model.kinds
        let named = kinds.first { $0 == entry.key }
        let kind = try reader.scalar("kind", expected: "one of \(kinds.joined(separator: ", "))") { text in
            kinds.first { $0 == text }
        }
        guard let kind = kind ?? named else {
            throw reader.missing("kind", expected: "one of \(kinds.joined(separator: ", "))")
        }
        let model =
            kind == "file"
            ? .file(try VirtualFileDevice.Choices(&reader, reading))
            : try Scenario.Model(kind, try reader.mapping("choices"))
        self.init(
            name: entry.key, model: model, address: Address(number: 0xC0FF_EE00_BE00 + UInt64(number)),
            hasRandomAddress: model.hasRandomAddress)
        address =
            try reader.scalar("address", expected: "an address such as \"C0:FF:EE:00:BE:01\"") {
                Address($0)
            } ?? address
        hasRandomAddress =
            try reader.scalar("address_type", expected: "random or public") {
                ["random": true, "public": false][$0]
            } ?? hasRandomAddress
        rssi = try reader.integer("rssi", in: -127...20) ?? rssi
        mtu = try reader.integer("mtu", in: 23...517) ?? mtu
        centrals = try reader.integer("centrals", in: 1...8) ?? centrals
        isBonded = try reader.flag("bonded") ?? isBonded
        let expected = "a list of UUIDs such as [\"1812\", \"1124\"]"
        alsoAdvertises = try reader.list("also_advertises", expected: expected) { UUID($0) } ?? []
        alsoHas = try reader.list("also_has", expected: expected) { UUID($0) } ?? []
        for var act in try reader.mappings("acts") { steps.append(try Scenario.Step(&act, of: model)) }
        for var fault in try reader.mappings("faults") { try add(&fault) }
        try reader.finish()
    }

    /// Creates `count` copies of the device, with numbered names (from 1) and consecutive addresses.
    func copies(_ count: Int) -> [Self] {
        (1...count).map { number in
            var copy = self
            copy.name += "-\(number)"
            copy.address = Address(number: address.number + UInt64(number - 1))
            return copy
        }
    }

    /// Reads a fault and adds it to the device.
    private mutating func add(_ reader: inout MappingReader) throws(ScenarioError) {
        let slow = try reader.duration("slow", from: .milliseconds(1))
        let refuse = try reader.integer("refuse", in: 1...255)
        let drop = try reader.flag("drop")
        let vanish = try reader.duration("vanish", from: .milliseconds(10))
        let garbage = try reader.integer("garbage", in: 1...1_000_000)
        let kinds = [slow != nil, refuse != nil, drop == true, vanish != nil, garbage != nil]
        guard kinds.filter({ $0 }).count == 1 else {
            throw reader.missing(
                "slow|refuse|drop|vanish|garbage", expected: "exactly one of them, the fault")
        }
        let after = try reader.duration("after")
        if let kind = slow.map(Scenario.Fault.Kind.slow) ?? refuse.map({ .refuse(UInt8($0)) }) {
            faults.append(
                Scenario.Fault(
                    kind,
                    characteristic: try reader.scalar("characteristic", expected: "a UUID such as FE05") {
                        UUID($0)
                    },
                    after: after ?? .zero, lasting: try reader.duration("for", from: .milliseconds(1)),
                    times: try reader.integer("times", in: 1...1_000_000)))
        } else {
            let every = try reader.duration("every", from: .milliseconds(10))
            let times = try reader.integer("times", in: 1...1_000_000)
            var step = Scenario.Step(
                after: after ?? every ?? .zero, every: every, times: times, act: ["drop"])
            if let garbage { step.act = ["garbage", String(garbage)] }
            if let vanish {
                step.act = ["mute"]
                steps.append(step)
                step.after += vanish
                step.act = ["unmute"]
            }
            steps.append(step)
        }
        try reader.finish()
    }
}

extension Scenario.Step {
    /// Reads an action with its times. Throws if the device does not support the action.
    init(_ reader: inout MappingReader, of model: Scenario.Model) throws(ScenarioError) {
        let every = try reader.duration("every", from: .milliseconds(10))
        let after = try reader.duration("after") ?? every ?? .zero
        let times = try reader.integer("times", in: 1...1_000_000)
        let expected = "the words of a live line without the device's name, such as press home"
        let words = try reader.scalar("do", expected: expected) { text -> [String]? in
            let words = text.split(separator: " ").map(String.init)
            return words.isEmpty ? nil : words
        }
        guard let words else { throw reader.missing("do", expected: expected) }
        if let complaint = model.complaint(about: words) {
            throw ScenarioError(
                .invalidValue, file: reader.file, line: reader.line, key: "\(reader.path).do",
                message: complaint)
        }
        try reader.finish()
        self.init(after: after, every: every, times: times, act: words)
    }
}

extension Scenario.Model {
    /// Reads the choices of a device of this kind.
    init(_ kind: String, _ choices: MappingReader?) throws(ScenarioError) {
        switch kind {
        case "tap": self = .tap(try VirtualTap.Choices(choices))
        case "robot": self = .robot(try VirtualRobot.Choices(choices))
        default: self = .belt(try VirtualBelt.Choices(choices))
        }
    }

    /// The error message for words that the device does not support as an action; nil if it supports them.
    func complaint(about words: [String]) -> String? {
        guard case .act(let words) = LiveLine.Action(words) else { return nil }
        var device = make(seed: 0)
        var reactions: [Reaction] = []
        device.handle(.poweredOn, at: .zero, reactions: &reactions)
        device.handle(.connected(mtu: 23), at: .zero, reactions: &reactions)
        reactions = []
        device.handle(.act(words), at: .zero, reactions: &reactions)
        for case .misunderstood(let message) in reactions { return message }
        return nil
    }
}
