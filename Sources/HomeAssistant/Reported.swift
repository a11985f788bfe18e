import DeviceKit
import JSON

extension HomeAssistant {
    /// A value that a feature reports, and the expression that extracts it from the payload.
    struct Reported {
        var type: FieldType
        var unit: String?
        /// Whether the value can be `null`.
        var isNullable = false
        /// The expression that returns the value in a template: `value` or `value_json.level`.
        var expression: String

        /// Finds a value: the plain value or a field of an object, such as `devices.online` for a nested field.
        ///
        /// - Parameter whenNull: The value that replaces `null`.
        init?(_ feature: Feature, _ field: String?, whenNull: JSON.Value? = nil) {
            switch (feature.report?.payload, field) {
            case (.plain(let type, let unit), nil):
                isNullable = feature.report?.isNullable ?? false
                // In an unparsed payload, `null` would be a word. Parsed as JSON, `null` means no value.
                let isRead = isNullable && !Self.isWord(type)
                (self.type, self.unit, expression) = (type, unit, isRead ? "value_json" : "value")
            case (.object(let fields), let path?):
                guard let found = Self.field(path.split(separator: ".").map(String.init)[...], fields) else {
                    return nil
                }
                (type, unit, isNullable) = (found.type, found.unit, found.isNullable)
                expression =
                    "value_json" + path.split(separator: ".").map { Template.member(String($0)) }.joined()
                if let whenNull {
                    let other = whenNull.string.map(Template.quoted) ?? whenNull.description
                    (expression, isNullable) = ("(\(expression) or \(other))", false)
                }
            default: return nil
            }
        }

        /// Whether the values are words, which are published without quotes.
        private static func isWord(_ type: FieldType) -> Bool {
            switch type {
            case .choice, .text, .form, .time: true
            default: false
            }
        }

        /// Finds a field of an object or of a nested object.
        private static func field(_ path: ArraySlice<String>, _ fields: [Field]) -> Field? {
            guard let found = path.first.flatMap({ name in fields.first { $0.name == name } }) else {
                return nil
            }
            guard path.count > 1 else { return found }
            guard case .object(let inner) = found.type else { return nil }
            return field(path.dropFirst(), inner)
        }

        /// Whether the payload is the plain value.
        private var isPlain: Bool { expression == "value" }

        /// The results of ``template`` for true and for false.
        var truth: (on: String, off: String) { isPlain ? ("true", "false") : ("True", "False") }

        /// Whether a text can exceed the 255 characters to which Home Assistant limits states.
        private var isLong: Bool { if case .text(let range) = type { range.upperBound > 255 } else { false } }

        /// The template of an entity; nil if the payload is the plain value. `null` becomes `None`, which Home
        /// Assistant shows as an unknown state.
        var template: String? {
            if isLong {
                return unlessCleared(isNullable ? "(\(expression)|string)[:255]" : "\(expression)[:255]")
            }
            return isPlain ? nil : unlessCleared(expression)
        }

        /// The word that a sensor with words shows for `null`. Without this word, Home Assistant would show the state
        /// of a healthy device as unknown.
        static let nothing = "none"

        /// Whether the value can be shown as ``nothing``.
        var showsNothing: Bool { isNullable && type != .time && Self.isWord(type) }

        /// The template of a sensor. It handles the empty payload of a cleared topic, which is not a valid word, text
        /// or time.
        var sensorTemplate: String? {
            if showsNothing {
                let nothing = Template.quoted(Self.nothing)
                let word =
                    isPlain ? "(\(nothing) if value=='null' else value)" : "(\(expression) or \(nothing))"
                return unlessCleared(isLong ? "\(word)[:255]" : word)
            }
            return template ?? (Self.isWord(type) ? "{{\(expression) or none}}" : nil)
        }

        /// Returns the template for an expression. The empty payload of a cleared topic, which is not JSON, becomes
        /// `None`.
        private func unlessCleared(_ expression: String) -> String {
            let isChoice = expression.contains(" if ")
            // Two consecutive braces would end the template or start a new one.
            let space = !isChoice && expression.hasPrefix("{") ? " " : ""
            return "{{\(space)\(isChoice ? "(\(expression))" : expression) if value else none}}"
        }

        /// Returns the template of a select entity that offers only some of the values. Other values become `None`,
        /// because Home Assistant would otherwise keep showing the last value.
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
            // The empty payload of a cleared topic is not one of the options, so the condition for the options also
            // excludes it. Other templates need their own check.
            return isPlain && renamed.isEmpty ? "{{\(choice)}}" : unlessCleared(choice)
        }

        /// Returns the template of a number that users can set within limits. A value outside the limits becomes
        /// `None`.
        func template(_ limits: ClosedRange<Double>) -> String? {
            let range: ClosedRange<Double>
            switch type {
            // Angles wrap around: 359.7 is rounded to 0, not to 360.
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

        /// Whether the value is a time in seconds that can exceed an hour. People read such a time in hours.
        var isLongTime: Bool {
            guard unit == "s" else { return false }
            return switch type {
            case .integer(let range): range.upperBound > 3600
            case .number(let range): range.upperBound > 3600
            default: false
            }
        }

        /// The template of a sensor that shows a time in seconds as hours.
        var hours: String { orNone("(\(expression)|float/3600)|round(2)") }

        private func orNone(_ expression: String) -> String {
            unlessCleared(
                isNullable ? "none if \(self.expression) is none else \(expression)" : expression)
        }
    }

    /// Creates parts of templates in Home Assistant's template language.
    enum Template {
        /// Returns the expression that accesses a member of an object. Names that collide with methods of the template
        /// language's objects require brackets.
        static func member(_ name: String) -> String {
            let taken: Set = ["clear", "copy", "get", "items", "keys", "pop", "popitem", "update", "values"]
            return taken.contains(name) ? "[\(quoted(name))]" : ".\(name)"
        }

        /// A string literal of the template language.
        static func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }

        /// A member of a mapping literal of the template language.
        static func pair(_ key: String, _ value: String) -> String { "\(quoted(key)):\(quoted(value))" }

        /// A list of string literals.
        static func list(_ words: [String]) -> String { "[\(words.map(quoted).joined(separator: ","))]" }

        /// A number without a redundant fraction.
        static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
    }
}
