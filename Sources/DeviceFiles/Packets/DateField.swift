import DeviceKit
import JSON

/// The time zone of a device's clock.
package enum ClockZone: String, Hashable, Sendable, CaseIterable {
    case utc
    /// The time zone of the bridge's host.
    case local
}

/// A date and a time of day in a packet.
package struct DateField: Hashable, Sendable {
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// Year (`u16`), month, day, hour, minute, second (GATT Specification Supplement, Date Time).
        case dateTime = "date_time"
        /// The number of seconds since 1970 (`u32`).
        case unix32
    }

    package var form: Form
    /// The time zone of the device's clock; nil if the zone is not known. The published text then has no offset.
    package var zone: ClockZone?
    package var isBigEndian: Bool

    package init(_ form: Form, zone: ClockZone? = nil, isBigEndian: Bool = false) {
        self.form = form
        self.zone = zone
        self.isBigEndian = isBigEndian
    }

    var width: Int { form == .dateTime ? 7 : 4 }

    /// Reads a date; returns `null` if the device reports an unknown date.
    ///
    /// - Parameter utcOffset: The offset of the host's time zone, in minutes east of UTC.
    func read(
        _ bytes: [UInt8], _ position: inout Int, utcOffset: Int, _ name: String?
    ) throws(PacketMisfit) -> JSON.Value {
        let text: String
        switch form {
        case .unix32:
            let type = NumberType(.unsigned, width: 4, isBigEndian: isBigEndian)
            let seconds = Int64(clamping: try type.take(bytes, &position, name))
            text = String(TimeStamp(milliseconds: seconds * 1000).description.prefix(19))
        case .dateTime:
            let type = NumberType(.unsigned, width: 2, isBigEndian: isBigEndian)
            let year = try type.take(bytes, &position, name)
            let rest = Array(try PacketFormat.take(5, bytes, &position, name))
            guard year > 0, rest[0] > 0, rest[1] > 0 else { return .null }
            func digits(_ number: some BinaryInteger, _ count: Int) -> String {
                let text = "\(number)"
                return String(repeating: "0", count: max(0, count - text.count)) + text
            }
            let day = "\(digits(year, 4))-\(digits(rest[0], 2))-\(digits(rest[1], 2))"
            text = "\(day)T\(digits(rest[2], 2)):\(digits(rest[3], 2)):\(digits(rest[4], 2))"
            guard TimeStamp(text + "Z") != nil else {
                throw PacketMisfit(name, "found \(text); allowed: a date of the calendar")
            }
        }
        guard let zone else { return .string(text) }
        let offset = zone == .local ? utcOffset : 0
        let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
        return .string(
            text + (offset < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):"
                + (minutes < 10 ? "0" : "") + "\(minutes)")
    }
}

/// A part of the current time in a written packet.
package struct ClockField: Hashable, Sendable {
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// The number of seconds since 1970 (`u32`).
        case unix32
        /// Year (`u16`), month, day, hour, minute, second.
        case dateTime = "date_time"
        /// 1 for Monday to 7 for Sunday.
        case weekday
        /// The fraction of the second, in 1/256 s.
        case fraction256
    }

    package var part: Part
    package var zone: ClockZone
    package var isBigEndian: Bool

    package init(_ part: Part, zone: ClockZone = .utc, isBigEndian: Bool = false) {
        self.part = part
        self.zone = zone
        self.isBigEndian = isBigEndian
    }

    var width: Int {
        switch part {
        case .unix32: 4
        case .dateTime: 7
        case .weekday, .fraction256: 1
        }
    }

    func append(_ context: PacketContext, to bytes: inout [UInt8]) {
        let offset = zone == .local ? Int64(context.utcOffset) * 60_000 : 0
        let time = max(0, context.milliseconds + offset)
        func number(_ value: UInt64, width: Int) {
            NumberType(.unsigned, width: width, isBigEndian: isBigEndian).append(value, to: &bytes)
        }
        switch part {
        case .unix32: number(UInt64(time / 1000), width: 4)
        // 1970-01-01, day 0, was a Thursday, day 4 of the week.
        case .weekday: number(UInt64((time / 86_400_000 + 3) % 7 + 1), width: 1)
        case .fraction256: number(UInt64(time % 1000 * 256 / 1000), width: 1)
        case .dateTime:
            let parts = TimeStamp(milliseconds: time).description.prefix(19)
                .split { !$0.isNumber }.compactMap { UInt64($0) }
            for (index, value) in parts.enumerated() { number(value, width: index == 0 ? 2 : 1) }
        }
    }
}

/// The values in a written packet that do not come from fields of the command: the time and the counters.
package struct PacketContext: Sendable {
    /// The current time in milliseconds since 1970.
    package var milliseconds: Int64
    /// The offset of the host's time zone, in minutes east of UTC.
    package var utcOffset: Int
    /// The number of packets that contain each counter and were written on this connection, by the counter's number in
    /// its file.
    package var counts: [Int: UInt64]

    package init(milliseconds: Int64 = 0, utcOffset: Int = 0, counts: [Int: UInt64] = [:]) {
        self.milliseconds = milliseconds
        self.utcOffset = utcOffset
        self.counts = counts
    }
}
