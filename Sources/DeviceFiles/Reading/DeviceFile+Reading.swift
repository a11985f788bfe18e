import Bluetooth
import DeviceKit
import YAML

extension DeviceFile {
    package struct Reading: Sendable {
        package var file: DeviceFile
        /// Warnings about values that other YAML parsers interpret differently, and about other probable mistakes.
        package var warnings: [DeviceFileProblem]
    }

    /// The maximum size of a file in bytes.
    package static let sizeLimit = 256 * 1024

    /// The names that features of device files must not have, because the bridge uses them.
    package static let refusedFeatures = [
        "availability", "connection", "family", "features", "info", "last_seen", "result", "haptic", "stop",
        // Every role may publish to the topics of stops, so another command must not have the name of a stop.
        "emergency_stop", "set",
    ]

    /// Reads a device file strictly: unknown keys and invalid values are errors.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - file: The file name for errors.
    ///   - taken: The reserved family names, each with the reason, such as `a built-in family`.
    /// - Throws: ``DeviceFileError`` with all problems.
    package static func read(
        _ text: String, file: String, taken: [String: String] = [:]
    ) throws(DeviceFileError) -> Reading {
        let start = YAMLTree.Place(line: 1, column: 1)
        guard text.utf8.count <= sizeLimit else {
            throw DeviceFileError(problems: [
                DeviceFileProblem(
                    file: file, place: start, path: "",
                    message: "found \(text.utf8.count) bytes; allowed: at most \(sizeLimit)")
            ])
        }
        let tree: YAMLTree
        do {
            tree = try YAMLTree(text)
        } catch {
            let message = error.message + advice(text, error)
            throw DeviceFileError(problems: [
                DeviceFileProblem(file: file, place: error.place, path: "", message: message)
            ])
        }
        let findings = Findings(file: file)
        var reader = FileReader(findings: findings)
        let result = reader.read(Node(tree, "", findings), taken: taken)
        guard let result, findings.problems.isEmpty else {
            let problems = findings.problems.sorted {
                ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column)
            }
            throw DeviceFileError(problems: problems)
        }
        return Reading(file: result, warnings: findings.warnings)
    }

    /// Returns a hint for a text that is probably invalid YAML because of a special character; empty for other errors.
    private static func advice(_ text: String, _ failure: YAMLTree.Failure) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // libyaml reports an unclosed brace some lines later, and names the line of the brace in the message.
        let context = failure.message.firstMatch(of: /\(line (\d+)\)/).flatMap { Int($0.output.1) }
        let first = min(context ?? failure.place.line, failure.place.line) - 1
        guard first >= 0, first < lines.count, lines[first].contains(where: { "%{}*@,`&!".contains($0) })
        else { return "" }
        return "; put the text in double quotes"
    }
}

/// Reads a device file, section by section.
struct FileReader {
    let findings: Findings
    var file = DeviceFile(family: "", title: "", source: "")
    /// The packets of the section `packets`, which several features can share, by name.
    var packets: [String: PacketFormat] = [:]
    /// The answers of control points (characteristics that answer writes), by the index of the characteristic.
    var controlPoints: [Int: ControlPoint] = [:]

    init(findings: Findings) { self.findings = findings }

    static let keys = [
        "version", "family", "title", "manufacturer", "source", "match", "join", "bonding", "notifications",
        "connect", "naming", "plural", "proxy", "settings", "characteristics", "setup", "every", "goodbye",
        "will",
        "stop", "features", "haptic",
        "examples",
    ]

    mutating func read(_ root: Node, taken: [String: String]) -> DeviceFile? {
        guard readVersion(root),
            let members = root.members(
                Self.keys, version2: ["advertisements", "info", "packets", "silent_s", "visit"])
        else { return nil }
        if let node = members.required("family", "a name"), let name = node.name("a family's name") {
            if let holder = taken[name] {
                node.complain("found \(name), \(holder); allowed: another name")
            }
            file.family = name
        }
        file.title = members.required("title", "text")?.text(1...128) ?? ""
        file.manufacturer = members["manufacturer"]?.text(1...128)
        file.source = members.required("source", "the source of the facts")?.text(1...512) ?? ""
        file.plural = file.family + "s"
        if let plural = members["plural"]?.name("a group's name") { file.plural = plural }
        readMatches(members)
        readChoices(members)
        if let settings = members["settings"] { readSettings(settings) }
        readVisit(members)
        if file.connecting == .never {
            readAdvertisements(members)
        } else if let characteristics = members.required(
            "characteristics", "a mapping of names to service and uuid")
        {
            readCharacteristics(characteristics)
            members.refuse(
                ["advertisements", "silent_s"], "the device is connected; connect: never is for them")
        }
        if let packets = members["packets"] { readPackets(packets) }
        if let info = members["info"] { readInfo(info) }
        if let every = members["every"] { readEvery(every) }
        file.goodbye = members["goodbye"].map { readFinalWrites($0) } ?? []
        file.will = members["will"].map { readFinalWrites($0) } ?? []
        file.stop = members["stop"].map { readFinalWrites($0) } ?? []
        if let features = members.required("features", "a mapping of names to features") {
            readFeatures(features)
        }
        // The setup is read after the features, because a step can depend on a field of a feature.
        if let setup = members["setup"] { readSetup(setup) }
        if let haptic = members["haptic"] { readHaptic(haptic) }
        readProxy(members)
        if let examples = members["examples"] { readExamples(examples) }
        checkWhole(root, members)
        return file
    }

    /// Reads the version. If the version is not supported, nothing else in the file is checked.
    private func readVersion(_ root: Node) -> Bool {
        guard case .mapping(let list) = root.tree.content else { return true }
        guard let version = Members(root, list).required("version", "1 or 2") else { return true }
        guard let number = version.scalar, ["1", "2"].contains(number) else {
            version.mismatch(allowed: "1 or 2; this bridge knows no other version, a newer bridge may")
            return false
        }
        findings.version = number == "2" ? 2 : 1
        return true
    }

    private mutating func readChoices(_ members: Members) {
        if let word = members["naming"]?.choice(["single", "each"]) {
            file.naming = word == "each" ? .each : .single
        }
        if let word = members["bonding"]?.choice(["never", "if_asked", "always"]) {
            file.bonding = word == "never" ? .none : word == "always" ? .always : .onDemand
        }
        if let word = members["notifications"]?.choice(["auto", "signals"]) {
            file.needsSignals = word == "signals"
        }
        if let node = members["connect"] {
            let words = DeviceFile.Connecting.allCases.filter { findings.version > 1 || !$0.outlivesLinks }
            file.connecting =
                node.choice(words.map(\.rawValue)).flatMap(DeviceFile.Connecting.init) ?? .always
        }
        // By default, devices join without being named only if every condition tests the device's name. Names are
        // specific to a manufacturer, but a neighbor's device of another kind can advertise the same service UUID.
        file.joining =
            file.matches.allSatisfy { $0.name != nil } && !file.connecting.outlivesLinks ? .plain : .named
        if let joining = members["join"]?.choice(DeviceFile.Joining.self) { file.joining = joining }
    }
}
