package import JSON

extension JSON.Value {
    /// The JSON text with one line for each member. Values that fit in one line of 100 characters are not broken.
    package var page: String {
        var text = ""
        write(to: &text, indentation: 0, before: 0)
        return text
    }

    private func write(to text: inout String, indentation: Int, before: Int) {
        let line = description
        let margin = String(repeating: " ", count: indentation)
        switch self {
        case .array(let elements) where !elements.isEmpty && !Self.fits(line, indentation + before):
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += margin + " "
                element.write(to: &text, indentation: indentation + 1, before: 0)
                text += index == elements.count - 1 ? "\n" : ",\n"
            }
            text += margin + "]"
        case .object(let object) where !object.isEmpty && !Self.fits(line, indentation + before):
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                let key = JSON.Value.string(member.key).description + ": "
                text += margin + " " + key
                member.value.write(to: &text, indentation: indentation + 1, before: key.count)
                text += index == object.count - 1 ? "\n" : ",\n"
            }
            text += margin + "}"
        default: text += line
        }
    }

    private static func fits(_ line: String, _ place: Int) -> Bool { place + line.utf8.count <= 100 }
}
