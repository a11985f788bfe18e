import DeviceKit
import JSON

/// Converts the strengths of a haptic pattern to values for the field of a command.
struct Strengths: Hashable, Sendable {
    let haptic: HapticEntry
    /// The shortest time from the write of the value for silence to the next write.
    let pause: Duration
    /// Whether the command's field for the strength accepts whole numbers only.
    private let isWhole: Bool
    /// If the field for the strength is a list, the number of its elements, which all get the same value; nil for a
    /// single number.
    private let count: Int?
    /// The command's other fields, with their default values.
    private let others: JSON.Object

    init?(_ haptic: HapticEntry, _ command: CommandEntry?) {
        guard let command, let field = command.fields.first(where: { $0.name == haptic.field }) else {
            return nil
        }
        self.haptic = haptic
        pause = command.pace ?? min(haptic.shortest, HapticEntry.usualShortest)
        if case .integer = field.strengthType { isWhole = true } else { isWhole = false }
        if case .list(_, let count) = field.type { self.count = count.upperBound } else { count = nil }
        others = JSON.Object(
            command.fields.compactMap { other in
                other.name == haptic.field ? nil : other.default.map { (other.name, $0) }
            })
    }

    /// Returns the value for a strength from 0 to 1. A strength above 0 never gives the value for silence.
    func value(of strength: Double) -> Decimal {
        guard strength > 0 else { return haptic.silent }
        let span = haptic.full.double - haptic.weakest.double
        let exact = haptic.weakest.double + span * min(strength, 1)
        let places = isWhole ? 0 : 3
        let value = (Decimal(exact) ?? haptic.silent).rounded(places)
        guard value == haptic.silent else { return value }
        return Decimal.sum(value, Decimal(span > 0 ? 1 : -1, exponent: -places)) ?? value
    }

    /// Returns the strength, 0 to 1, that corresponds to a value.
    func strength(of value: Decimal) -> Double {
        guard value != haptic.silent else { return 0 }
        return (value.double - haptic.weakest.double) / (haptic.full.double - haptic.weakest.double)
    }

    /// Returns the fields of a command that sets the value.
    func arguments(_ value: Decimal) -> JSON.Object {
        var object = others
        object[haptic.field] = count.map { .array(Array(repeating: value.json, count: $0)) } ?? value.json
        return object
    }
}
