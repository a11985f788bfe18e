import DeviceKit
import JSON

/// Reads a word of the configuration file or of the environment as the type of a setting.
enum Scalar {
    /// The error for a word that does not fit, with the word and the allowed values.
    struct Mismatch: Error {
        var message: String
    }

    /// Reads and checks a word.
    ///
    /// - Parameters:
    ///   - isPlain: Whether the word has no quotes. A word in quotes is always text.
    ///   - isSecret: Whether errors must not quote the word.
    static func value(
        _ text: String, isPlain: Bool, as type: FieldType, form: SettingForm? = nil, isSecret: Bool = false
    ) throws(Mismatch) -> JSON.Value {
        let found = isSecret ? "" : "found \(quoted(text, isPlain: isPlain)); "
        let value = isPlain && !type.isText ? plain(text) : .string(text)
        do {
            let checked = try type.check(value, path: "")
            guard let form, !form.accepts(text) else { return checked }
            throw Mismatch(message: "\(found)allowed: \(form.allowed)")
        } catch let error as Mismatch {
            throw error
        } catch {
            throw Mismatch(message: "\(found)allowed: \(form?.allowed ?? type.allowed)")
        }
    }

    /// Returns the value of a word without quotes and without a declared type, according to YAML 1.2's core schema.
    static func plain(_ text: String) -> JSON.Value {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: break
        }
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { return .string(text) }
        if let whole = Int(text) { return .integer(whole) }
        if let number = Double(text), number.isFinite { return .number(number) }
        return .string(text)
    }

    private static func quoted(_ text: String, isPlain: Bool) -> String {
        let excerpt = text.utf8.count <= 60 ? text : text.prefix(57) + "…"
        if text.isEmpty { return "nothing" }
        return isPlain ? excerpt : "the text \"\(excerpt)\""
    }
}

extension FieldType {
    /// Whether a word of this type is always text, even if it looks like a number or a Boolean.
    fileprivate var isText: Bool {
        switch self {
        case .text, .choice, .time: true
        default: false
        }
    }
}
