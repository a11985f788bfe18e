import DeviceKit
import JSON

// The comparison of results with an example.
extension ExampleStage {
    /// Returns the differences between the expected results of the step and the actual results.
    func complaints(_ step: ExampleEntry.Step) -> [String] {
        var complaints: [String] = []
        if case .visit = step.action, let failure { complaints.append("visit: \(failure)") }
        let found = Self.text(publications)
        let said = Self.text(step.publishes)
        if found != said { complaints.append("publishes: found \(found); the example expects \(said)") }
        let writes = text(writings)
        let expected = text(step.writes)
        if writes != expected {
            complaints.append("writes: found \(writes); the example expects \(expected)")
        }
        if let error = step.error {
            if !errors.contains(where: { $0.code == error }) {
                let found = errors.first?.description ?? "none"
                complaints.append("error: found \(found); the example expects \(error.rawValue)")
            }
        } else if let error = errors.first {
            complaints.append("error: found \(error); the example expects none")
        }
        if let expected = step.isAvailable, expected != isAvailable {
            complaints.append("available: found \(isAvailable); the example expects \(expected)")
        }
        if let answer = step.answer {
            let expected = JSON.Value.object(answer).sorted.description
            let found = answers.last.map { JSON.Value.object($0).sorted.description } ?? "none"
            if found != expected {
                complaints.append("answer: found \(found); the example expects \(expected)")
            }
        }
        return complaints
    }

    /// Returns the messages as text, grouped by feature, in order. Equal messages give equal text.
    private static func text(_ publications: [ExampleEntry.Publication]) -> String {
        let names = Set(publications.map(\.feature)).sorted()
        let lines = names.map { name in
            let values = publications.filter { $0.feature == name }.map { $0.value.sorted.description }
            return "\(name) \(values.joined(separator: ", "))"
        }
        return lines.isEmpty ? "nothing" : lines.joined(separator: "; ")
    }

    private func text(_ writings: [ExampleEntry.Writing]) -> String {
        let lines = writings.map { writing in
            let name = plan.file.characteristics[writing.characteristic].name
            let isText =
                !writing.bytes.isEmpty
                && writing.bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A }
            let text = JSON.Value.string(String(decoding: writing.bytes, as: UTF8.self)).description
            return
                "\(name) \(PacketItem.BytesForm.hex.text(of: writing.bytes[...]))\(isText ? " (\(text))" : "")"
        }
        return lines.isEmpty ? "nothing" : lines.joined(separator: "; ")
    }
}

extension JSON.Value {
    /// The same value, with the members of objects in alphabetical order of their keys.
    fileprivate var sorted: JSON.Value {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let object):
            .object(
                JSON.Object(object.members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted) }))
        default: self
        }
    }
}
