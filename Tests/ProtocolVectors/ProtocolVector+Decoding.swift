import Bluetooth
import JSON

extension ProtocolVector {
    private static let keys: Set<String> = [
        "name", "kind", "what", "at", "bytes", "ascii", "written", "file", "signal", "means", "answer",
        "steps",
        "source",
    ]

    /// Reads an example. Unknown keys and values that differ from the documented format are errors.
    init(_ value: JSON.Value) throws(VectorError) {
        guard let object = value.object, let name = value["name"]?.string, !name.isEmpty else {
            throw VectorError("an example without a name: \(value)")
        }
        func fail(_ text: String) -> VectorError { VectorError("\(name): \(text)") }
        if let other = object.keys.first(where: { !Self.keys.contains($0) }) {
            throw fail("key \(other) is not known")
        }
        guard let kind = value["kind"]?.string, let what = value["what"]?.string, !what.isEmpty else {
            throw fail("kind and what must be text")
        }
        guard let sources = value["source"]?.array, !sources.isEmpty,
            sources.allSatisfy({ $0.string != nil })
        else { throw fail("at least one source") }
        (self.name, self.kind, self.what, json) = (name, kind, what, object)
        self.sources = sources.compactMap(\.string)
        at = value["at"]?.string
        bytes = try Self.bytes(value["bytes"]?.string ?? "", of: name)
        if let ascii = value["ascii"]?.string, bytes != Array(ascii.utf8) { throw fail("its ascii differs") }
        isWritten = value["written"]?.bool ?? true
        means = value["means"] ?? .null
        answer = try value["answer"].map { (value) throws(VectorError) in
            try Self.packet(value, at: value["at"], of: name)
        }
        var steps: [Step] = []
        for step in value["steps"]?.array ?? [] { steps.append(try Self.step(step, of: name)) }
        self.steps = steps
        guard object["bytes"] != nil || object["means"] != nil || !steps.isEmpty else {
            throw fail("it says nothing")
        }
    }

    private static func step(_ value: JSON.Value, of name: String) throws(VectorError) -> Step {
        if let client = value["client"] {
            return .client(try packet(value, at: client, of: name), at: value["at_ms"]?.integer)
        }
        if let device = value["device"] { return .device(try packet(value, at: device, of: name)) }
        if let act = value["wearer"]?.string { return .wearer(act) }
        if let pause = value["pause_ms"]?.integer { return .pause(pause) }
        if let member = value["application"]?.object?.members.first {
            return .application(feature: member.key, member.value)
        }
        throw VectorError("\(name): a step that is not known: \(value)")
    }

    private static func packet(
        _ value: JSON.Value, at place: JSON.Value?, of name: String
    ) throws(VectorError) -> Packet {
        guard let at = place?.string, let text = value["bytes"]?.string else {
            throw VectorError("\(name): a packet has a characteristic and bytes: \(value)")
        }
        return Packet(at: at, bytes: try bytes(text, of: name))
    }

    /// Bytes in upper case, separated by single spaces.
    private static func bytes(_ text: String, of name: String) throws(VectorError) -> [UInt8] {
        guard let bytes = Hex.bytes(text), text == hex(bytes) else {
            throw VectorError("\(name): not bytes in upper case with single spaces: \(text)")
        }
        return bytes
    }

    /// The notation of bytes in files and pages.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { Hex.string([$0]).uppercased() }.joined(separator: " ")
    }
}
