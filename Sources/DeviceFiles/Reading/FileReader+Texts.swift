import DeviceKit
import JSON

extension FileReader {
    /// A placeholder in a text: `{levels:base64}`.
    private struct Place {
        var name: String
        var format: String?
    }

    private enum Piece {
        case literal(String)
        case place(Place)
    }

    /// Splits a text at its placeholders. `{{` and `}}` are literal braces. Returns nil after a problem was reported.
    private func pieces(_ node: Node) -> [Piece]? {
        guard let text = node.text(1...PacketFormat.limit) else { return nil }
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.first {
            rest = rest.dropFirst()
            guard character == "{" || character == "}" else {
                literal.append(character)
                continue
            }
            if rest.first == character {
                literal.append(character)
                rest = rest.dropFirst()
                continue
            }
            guard character == "{", let end = rest.firstIndex(of: "}") else {
                node.complain("found a single \(character); allowed: {name}, {{ and }}")
                return nil
            }
            let parts = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            rest = rest[rest.index(after: end)...]
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            pieces.append(
                .place(Place(name: String(parts[0]), format: parts.count > 1 ? String(parts[1]) : nil)))
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return pieces
    }

    /// Returns a text that contains fields; nil after a problem was reported.
    func template(_ node: Node, _ fields: [Field]) -> TextTemplate? {
        guard let pieces = pieces(node) else { return nil }
        var parts: [TextTemplate.Part] = []
        for piece in pieces {
            switch piece {
            case .literal(let text): parts.append(.literal(Array(text.utf8)))
            case .place(let place):
                let isSetting = place.name.hasPrefix("settings.")
                let name = isSetting ? String(place.name.dropFirst("settings.".count)) : place.name
                let known = isSetting ? file.settings.map(\.field) : fields
                guard let field = known.first(where: { $0.name == name }) else {
                    let names = fields.map(\.name) + file.settings.map { "settings.\($0.field.name)" }
                    let near =
                        Nearest.word(to: place.name, among: names).map { "did you mean \($0)? Allowed" }
                        ?? "allowed"
                    node.complain(
                        "found {\(place.name)}; \(near): \(names.isEmpty ? "no fields here" : names.joined(separator: " "))"
                    )
                    return nil
                }
                if field.default == nil, !field.isRequired {
                    node.complain(
                        "found {\(place.name)}, which may be omitted; allowed: a field with a default, or a required one"
                    )
                }
                guard let format = format(place, field.type, node) else { return nil }
                parts.append(isSetting ? .setting(name, format) : .field(name, format))
            }
        }
        return TextTemplate(parts)
    }

    private func format(_ place: Place, _ type: FieldType, _ node: Node) -> TextTemplate.Format? {
        guard let word = place.format else {
            switch type {
            case .list, .object, .any:
                node.complain(
                    "found the list {\(place.name)}; allowed: {\(place.name):base64} or {\(place.name):hex}")
                return nil
            default: return .plain
            }
        }
        switch word {
        case "base64", "hex":
            var isBytes = false
            switch type {
            case .text, .choice: isBytes = true
            case .list(.integer(let range), _): isBytes = range.lowerBound >= 0 && range.upperBound <= 255
            case .integer(let range): isBytes = range.lowerBound >= 0 && range.upperBound <= 255
            default: break
            }
            if !isBytes {
                node.complain("found {\(place.name):\(word)}; allowed: text, or integers from 0 to 255")
            }
            return isBytes ? (word == "hex" ? .hex : .base64) : nil
        default:
            guard let number = TextTemplate.Number(word) else {
                node.complain("found the format \(word); allowed: base64 hex %[0][width][.decimals](d|f|x|X)")
                return nil
            }
            switch type {
            case .integer: return .number(number)
            case .number, .angle:
                if number.conversion == .hex || number.conversion == .upperHex {
                    node.complain("found the format \(word) for a number; allowed: %d or %f")
                    return nil
                }
                return .number(number)
            default:
                node.complain("found the format \(word); allowed: for integer and number only")
                return nil
            }
        }
    }

    /// Returns the pattern of a line that contains values; nil after a problem was reported.
    func linePattern(_ node: Node, _ limits: [String: LinePattern.Limits]) -> LinePattern? {
        guard let pieces = pieces(node) else { return nil }
        var parts: [LinePattern.Part] = []
        var names: Set<String> = []
        let kinds = LinePattern.Capture.allCases.map(\.rawValue)
        for piece in pieces {
            switch piece {
            case .literal(let text):
                if text.utf8.contains(0x0A) || text.utf8.contains(0x0D) {
                    node.complain("found the end of a line; allowed: one line without its end")
                }
                parts.append(.literal(Array(text.utf8)))
            case .place(let place):
                let bare = place.name.hasPrefix("_") ? String(place.name.dropFirst()) : place.name
                guard Node.isName(bare), names.insert(place.name).inserted else {
                    node.complain(
                        "found {\(place.name)}; allowed: lowercase letters, digits and _, each name once")
                    return nil
                }
                guard let word = place.format, let kind = LinePattern.Capture(rawValue: word) else {
                    node.complain(
                        "found {\(place.name)\(place.format.map { ":\($0)" } ?? "")}; allowed: {\(place.name):…} with \(kinds.joined(separator: " "))"
                    )
                    return nil
                }
                if limits[place.name]?.words != nil, kind != .integer {
                    node.complain(
                        "found {\(place.name):\(word)}, whose values are words; allowed: {\(place.name):integer}"
                    )
                }
                parts.append(.capture(place.name, kind))
            }
        }
        return LinePattern(parts, limits: limits)
    }
}

extension TextTemplate.Number {
    /// Parses `%[0][width][.decimals](d|f|x|X)`.
    fileprivate init?(_ text: String) {
        guard text.hasPrefix("%"), let last = text.last, let conversion = Conversion(rawValue: String(last))
        else { return nil }
        var body = text.dropFirst().dropLast()
        let isPadded = body.hasPrefix("0")
        if isPadded { body = body.dropFirst() }
        let parts = body.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].isEmpty || parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let width = parts[0].isEmpty ? 0 : Int(parts[0]), width <= 32
        else { return nil }
        var places = 6
        if parts.count == 2 {
            guard conversion == .fixed, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int(parts[1]),
                count <= 9
            else { return nil }
            places = count
        }
        self.init(conversion, width: width, places: places, isZeroPadded: isPadded)
    }
}
