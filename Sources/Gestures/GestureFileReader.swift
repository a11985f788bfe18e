import DeviceKit
import YAML

/// Reads the tree of a gesture file and collects all mistakes.
struct GestureFileReader {
    private static let layerCounts = 1...16
    private static let gestureCounts = 1...100
    private static let inputCounts = 1...8
    /// The allowed values of `within_ms`, the longest time between two inputs of a gesture, in milliseconds.
    private static let times = 100...5000
    private static let defaultTime = 500

    let path: String
    let families: [any DeviceFamily]
    private(set) var problems: [String] = []
    /// The commands of the actions, each with its place in the file.
    var placed: [GestureFile.PlacedCommand] = []

    init(path: String, families: [any DeviceFamily]) {
        self.path = path
        self.families = families
    }

    mutating func read(_ tree: YAMLTree) -> (String, GestureMap)? {
        guard
            let members = mapping(tree, "the file", ["version", "family", "within_ms", "layers", "actions"])
        else { return nil }
        if let version = required(members, "version", tree, "the file"), word(version) != "1" {
            complain(version, "version", "1")
        }
        let time = members["within_ms"].flatMap { number($0, "within_ms", Self.times) } ?? Self.defaultTime
        guard let place = required(members, "family", tree, "the file"), let family = family(place),
            let layersPlace = required(members, "layers", tree, "the file"),
            case .mapping(let layers) = layersPlace.content
        else {
            if let layers = members["layers"], problems.isEmpty {
                complain(layers, "layers", "a mapping of names to lists of gestures")
            }
            return nil
        }
        guard Self.layerCounts.contains(layers.count) else {
            complain(at: layersPlace.place, "layers", found: "\(layers.count) layers", "1...16")
            return nil
        }
        let inputs = GestureInputs(family.features)
        let names = layers.map(\.key)
        let read = layers.map { layer in
            if !isName(layer.key) {
                complain(
                    at: layer.place, "layers", found: layer.key, "names of a-z 0-9 _, at most 64 characters")
            }
            return GestureMap.Layer(layer.key, gestures(layer.value, layer.key, inputs, names))
        }
        var map = GestureMap(read, within: .milliseconds(time))
        if let place = members["actions"] { map.commands = commands(place, map.actions, family) }
        return (family.name, map)
    }

    private mutating func family(_ place: YAMLTree) -> (any DeviceFamily)? {
        guard let family = families.first(where: { $0.name == word(place) }) else {
            complain(place, "family", "one of \(families.map(\.name).joined(separator: " "))")
            return nil
        }
        let features = [GesturedFamily.action, GesturedFamily.layer]
        if let name = features.first(where: { family.feature($0) != nil }) {
            complain(place, "family", "a family without a feature named \(name)")
            return nil
        }
        let settings = [GesturedFamily.setting, GesturedFamily.pair]
        if let name = settings.first(where: { name in family.settings.contains { $0.name == name } }) {
            complain(place, "family", "a family without a setting named \(name)")
            return nil
        }
        let events = GestureInputs(family.features).features
        guard !events.isEmpty, !events.contains(GestureInputs.other) else {
            complain(
                place, "family",
                events.isEmpty
                    ? "a family that reports events"
                    : "a family without an event named \(GestureInputs.other)")
            return nil
        }
        return family
    }

    private mutating func gestures(
        _ tree: YAMLTree, _ layer: String, _ inputs: GestureInputs, _ layers: [String]
    ) -> [GestureMap.Gesture] {
        guard case .sequence(let elements) = tree.content, Self.gestureCounts.contains(elements.count) else {
            complain(tree, "layers.\(layer)", "a list of 1...100 gestures")
            return []
        }
        var gestures: [GestureMap.Gesture] = []
        for (index, element) in elements.enumerated() {
            let key = "layers.\(layer)[\(index)]"
            let read = variants(element, key, inputs, layers)
            if let twice = read.first(where: { one in gestures.contains { $0.inputs == one.inputs } }) {
                complain(
                    at: element.place, "\(key).inputs", found: twice.inputs.joined(separator: ", "),
                    "inputs that no other gesture of the layer has")
            }
            gestures += read
        }
        return gestures
    }

    /// Reads a gesture: several, if some of its inputs are in any order.
    private mutating func variants(
        _ tree: YAMLTree, _ key: String, _ inputs: GestureInputs, _ layers: [String]
    ) -> [GestureMap.Gesture] {
        guard let members = mapping(tree, key, ["inputs", "action", "layer"]),
            let place = required(members, "inputs", tree, key)
        else { return [] }
        let sequences = sequences(place, key, inputs)
        var gesture = GestureMap.Gesture([])
        if let place = members["action"] {
            gesture.action = word(place)
            if !(gesture.action.map(isName) ?? false) {
                complain(place, "\(key).action", "a name of a-z 0-9 _, at most 64")
            }
        }
        if let place = members["layer"] {
            gesture.layer = word(place)
            if !layers.contains(gesture.layer ?? "") {
                complain(place, "\(key).layer", "one of \(layers.joined(separator: " "))")
            }
        }
        if members["action"] == nil, members["layer"] == nil {
            complain(tree, key, "action or layer or both")
        }
        return sequences.map { sequence in
            gesture.inputs = sequence
            return gesture
        }
    }

    /// Reads the inputs of a gesture: one input, or a list. Two inputs that are joined by `&` are in any order, so
    /// that each of these doubles the sequences.
    private mutating func sequences(
        _ tree: YAMLTree, _ key: String, _ inputs: GestureInputs
    ) -> [[String]] {
        let elements: [YAMLTree] = if case .sequence(let list) = tree.content { list } else { [tree] }
        let steps = elements.map { element in
            (element, (word(element) ?? "").split(separator: " & ", omittingEmptySubsequences: false))
        }
        guard Self.inputCounts.contains(steps.reduce(0) { $0 + $1.1.count }) else {
            complain(tree, "\(key).inputs", "1...8 inputs")
            return []
        }
        let before = problems.count
        var sequences: [[String]] = [[]]
        for (element, words) in steps {
            var step: [String] = []
            for word in words {
                switch inputs.read(String(word)) {
                case .success(let input): step.append(input)
                case .failure(let refusal): complain(element, "\(key).inputs", refusal.allowed)
                }
            }
            if step.count == words.count, words.count > 2 || words.count == 2 && step[0] == step[1] {
                complain(element, "\(key).inputs", "two different inputs joined by &")
            }
            let orders = step.count == 2 ? [step, step.reversed()] : [step]
            sequences = sequences.flatMap { sequence in orders.map { sequence + $0 } }
        }
        return problems.count == before ? sequences : []
    }

    // MARK: Values

    mutating func mapping(
        _ tree: YAMLTree, _ key: String, _ allowed: [String]
    ) -> [String: YAMLTree]? {
        guard case .mapping(let members) = tree.content else {
            complain(tree, key, "a mapping with \(allowed.joined(separator: " "))")
            return nil
        }
        for member in members where !allowed.contains(member.key) {
            problems.append(
                "\(path):\(member.place): \(member.key): not known here; allowed: "
                    + allowed.joined(separator: " "))
        }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    mutating func required(
        _ members: [String: YAMLTree], _ name: String, _ tree: YAMLTree, _ key: String
    ) -> YAMLTree? {
        if let value = members[name] { return value }
        problems.append("\(path):\(tree.place): \(key): \(name) is missing")
        return nil
    }

    func word(_ tree: YAMLTree) -> String? {
        if case .scalar(let text, _) = tree.content { text } else { nil }
    }

    private mutating func number(_ tree: YAMLTree, _ key: String, _ range: ClosedRange<Int>) -> Int? {
        guard let number = word(tree).flatMap({ Int($0) }), range.contains(number) else {
            complain(tree, key, "\(range.lowerBound)...\(range.upperBound)")
            return nil
        }
        return number
    }

    private func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
            }
    }

    mutating func complain(_ tree: YAMLTree, _ key: String, _ allowed: String) {
        let found =
            switch tree.content {
            case .scalar(let text, _): text.isEmpty ? "nothing" : text
            case .sequence(let elements): "a list of \(elements.count)"
            case .mapping: "a mapping"
            }
        complain(at: tree.place, key, found: found, allowed)
    }

    mutating func complain(at place: YAMLTree.Place, _ key: String, found: String, _ allowed: String) {
        problems.append("\(path):\(place): \(key): found \(found); allowed: \(allowed)")
    }
}
