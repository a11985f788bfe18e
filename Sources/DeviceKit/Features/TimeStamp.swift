/// A calendar time: milliseconds since 1970, written as RFC 3339 in UTC.
public struct TimeStamp: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var milliseconds: Int64

    /// Creates a time from milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The times that RFC 3339 can express: years 0000 to 9999.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The time in RFC 3339, such as `2026-01-31T12:00:00.000Z`. A time outside the range of RFC 3339 is written as the
    /// nearest time in the range.
    public var description: String {
        let milliseconds = min(max(milliseconds, Self.writable.lowerBound), Self.writable.upperBound)
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let rest = Int(milliseconds - Int64(days) * 86_400_000)
        let (year, month, day) = Self.date(ofDay: days)
        // Every event has a time stamp, so the digits are written in place, without a temporary string for each
        // number.
        return String(unsafeUninitializedCapacity: 32) { text in
            var end = 0
            func put(_ number: Int, _ digits: Int, _ separator: Unicode.Scalar) {
                var rest = number
                for place in (end..<(end + digits)).reversed() {
                    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                text[end + digits] = UInt8(ascii: separator)
                end += digits + 1
            }
            put(year, 4, "-")
            put(month, 2, "-")
            put(day, 2, "T")
            put(rest / 3_600_000, 2, ":")
            put(rest / 60_000 % 60, 2, ":")
            put(rest / 1000 % 60, 2, ".")
            put(rest % 1000, 3, "Z")
            return end
        }
    }

    /// Parses RFC 3339 with `Z` or an offset; nil for anything else.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        func number(_ count: Int) -> Int? {
            guard bytes.count >= count else { return nil }
            var value = 0
            for byte in bytes.prefix(count) {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            bytes.removeFirst(count)
            return value
        }
        func take(_ allowed: String) -> UInt8? {
            guard let byte = bytes.first, allowed.utf8.contains(byte) else { return nil }
            bytes.removeFirst()
            return byte
        }
        guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil,
            let day = number(2), take("Tt ") != nil, let hour = number(2), take(":") != nil,
            let minute = number(2), take(":") != nil, let second = number(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60,
            Self.date(ofDay: Self.day(year, month, day)) == (year, month, day)
        else { return nil }
        var milli = 0
        if take(".") != nil {
            var digits = 0
            while let digit = number(1) {
                if digits < 3 { milli = milli * 10 + digit }
                digits += 1
            }
            guard digits > 0 else { return nil }
            for _ in min(digits, 3)..<3 { milli *= 10 }
        }
        var offset = 0
        if take("Zz") == nil {
            guard let sign = take("+-"), let hours = number(2), take(":") != nil, let minutes = number(2),
                hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        guard bytes.isEmpty else { return nil }
        let minutes = (Self.day(year, month, day) * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: Int64(minutes) * 60_000 + Int64(second) * 1000 + Int64(milli))
    }

    /// Returns days since 1970 for a date of the proleptic Gregorian calendar (Howard Hinnant, `days_from_civil`).
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date for days since 1970 (`civil_from_days`).
    private static func date(ofDay day: Int) -> (Int, Int, Int) {
        let z = day + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
