import DeviceKit
import JSON

extension HomeAssistant {
    /// A value that a feature reports, and how Home Assistant reads it out of the payload.
    struct Reported {
        /// What it can be.
        var type: FieldType
        var unit: String?
        /// Whether it can be null.
        var isNullable = false
        /// Where it stands in a template: `value`, or `value_json.level`.
        var expression: String

        /// Finds a value: the plain one, or a field of an object, `devices.online` for one within another.
        init?(_ feature: Feature, _ field: String?) {
            switch (feature.report?.payload, field) {
            case (.plain(let type, let unit), nil):
                isNullable = feature.report?.isNullable ?? false
                // As it stands, null would be a word; read as JSON it is none.
                let isRead = isNullable && !Self.isWord(type)
                (self.type, self.unit, expression) = (type, unit, isRead ? "value_json" : "value")
            case (.object(let fields), let path?):
                guard let found = Self.field(path.split(separator: ".").map(String.init)[...], fields) else {
                    return nil
                }
                (type, unit, isNullable) = (found.type, found.unit, found.isNullable)
                expression =
                    "value_json" + path.split(separator: ".").map { Template.member(String($0)) }.joined()
            default: return nil
            }
        }

        /// Whether its values are words, which are published without quotes.
        private static func isWord(_ type: FieldType) -> Bool {
            switch type {
            case .choice, .text, .form, .time: true
            default: false
            }
        }

        /// Finds a field of an object, or of an object within.
        private static func field(_ path: ArraySlice<String>, _ fields: [Field]) -> Field? {
            guard let found = path.first.flatMap({ name in fields.first { $0.name == name } }) else {
                return nil
            }
            guard path.count > 1 else { return found }
            guard case .object(let inner) = found.type else { return nil }
            return field(path.dropFirst(), inner)
        }

        /// Whether the payload is the value.
        private var isPlain: Bool { expression == "value" }

        /// What its template makes of true and of false.
        var truth: (on: String, off: String) { isPlain ? ("true", "false") : ("True", "False") }

        /// The template of an entity; nil where the payload is the value. `None`, which null becomes, makes an entity
        /// unknown.
        var template: String? {
            // Home Assistant's states end at 255 characters.
            if case .text(let range) = type, range.upperBound > 255 {
                return unlessCleared(isNullable ? "(\(expression)|string)[:255]" : "\(expression)[:255]")
            }
            return isPlain ? nil : unlessCleared(expression)
        }

        /// The template of a sensor: the empty payload of a cleared topic is not one of its words, no text and no time.
        var sensorTemplate: String? {
            template ?? (Self.isWord(type) ? "{{\(expression) or none}}" : nil)
        }

        /// The template of an expression; the empty payload of a cleared topic, which is no JSON, makes it `None`.
        private func unlessCleared(_ expression: String) -> String {
            let isChoice = expression.contains(" if ")
            // Two braces that follow each other would end the template, or start another.
            let space = !isChoice && expression.hasPrefix("{") ? " " : ""
            return "{{\(space)\(isChoice ? "(\(expression))" : expression) if value else none}}"
        }

        /// The template of something that a person can set to some of the values only: others are unknown, since
        /// Home Assistant would keep the last one.
        func template(words: [String], shownAs shown: [String: String]) -> String? {
            guard case .choice(let choices) = type else { return template }
            let renamed = shown.sorted { $0.key < $1.key }.map { Template.pair($0.key, $0.value) }
            let value =
                renamed.isEmpty
                ? expression : "{\(renamed.joined(separator: ","))}.get(\(expression),\(expression))"
            guard Set(choices) != Set(words) else {
                return renamed.isEmpty ? template : unlessCleared(value)
            }
            let offered = Template.list(choices.filter(words.contains))
            let choice = "\(value) if \(expression) in \(offered) else none"
            // The empty payload is not offered.
            return isPlain && renamed.isEmpty ? "{{\(choice)}}" : unlessCleared(choice)
        }

        /// The template of a number that a person can set within limits.
        func template(_ limits: ClosedRange<Double>) -> String? {
            let range: ClosedRange<Double>
            switch type {
            // 359.7 is nearer to 0 than to the last whole degree.
            case .angle: return orNone("\(expression)|float|round|int%360")
            case .integer(let all): range = Double(all.lowerBound)...Double(all.upperBound)
            case .number(let all): range = all
            default: return template
            }
            guard range.lowerBound < limits.lowerBound || range.upperBound > limits.upperBound else {
                return template
            }
            let (low, high) = (Template.text(limits.lowerBound), Template.text(limits.upperBound))
            let inside = "\(expression) if \(low)<=\(expression)|float<=\(high) else none"
            return orNone(inside)
        }

        private func orNone(_ expression: String) -> String {
            unlessCleared(
                isNullable ? "none if \(self.expression) is none else \(expression)" : expression)
        }
    }

    /// Pieces of templates.
    enum Template {
        /// The access to a member of an object; names that objects of the template language have for themselves
        /// need brackets.
        static func member(_ name: String) -> String {
            let taken: Set = ["clear", "copy", "get", "items", "keys", "pop", "popitem", "update", "values"]
            return taken.contains(name) ? "[\(quoted(name))]" : ".\(name)"
        }

        /// A string of the template language.
        static func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }

        /// A member of a mapping of the template language.
        static func pair(_ key: String, _ value: String) -> String { "\(quoted(key)):\(quoted(value))" }

        /// A list of strings.
        static func list(_ words: [String]) -> String { "[\(words.map(quoted).joined(separator: ","))]" }

        /// A number without a needless fraction.
        static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
    }
}
