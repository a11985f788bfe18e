import DeviceKit

/// One measurement of the raw stream. Its values are counts, whose scale depends on ``TapSensitivity``.
struct TapRawMessage: Hashable, Sendable {
    /// Which sensors a message contains.
    enum Kind: String, Named {
        /// The thumb unit: gyroscope, then accelerometer.
        case imu
        /// The accelerometers of the five fingers, thumb first.
        case fingers

        /// How many numbers a message contains: x, y and z of each sensor.
        var sampleCount: Int {
            switch self {
            case .imu: 6
            case .fingers: 15
            }
        }
    }

    var kind: Kind
    /// The time on the device's clock, in milliseconds, 31 bits.
    var timestamp: UInt32
    /// The x, y and z values of each sensor.
    var samples: [Int16]
}

/// The content of a notification on `6e400003`: consecutive messages up to the end, or to a header word of zero.
///
/// A message never continues in the next notification.
enum TapRawFrame {
    private static let fingersBit: UInt32 = 0x8000_0000

    /// Decodes a notification with or without padding. A truncated message and all bytes after it are dropped.
    static func messages(_ bytes: [UInt8]) -> [TapRawMessage] {
        var messages: [TapRawMessage] = []
        var position = 0
        while position + 4 <= bytes.count {
            let header = bytes.uint32(at: position)
            guard header != 0 else { break }
            let kind: TapRawMessage.Kind = header & fingersBit != 0 ? .fingers : .imu
            let end = position + 4 + kind.sampleCount * 2
            guard end <= bytes.count else { break }
            let samples = stride(from: position + 4, to: end, by: 2).map { bytes.int16(at: $0) }
            messages.append(TapRawMessage(kind: kind, timestamp: header & ~fingersBit, samples: samples))
            position = end
        }
        return messages
    }

    /// Returns the notification with these messages, followed by zero bytes as padding.
    static func bytes(_ messages: [TapRawMessage], padding: Int = 4) -> [UInt8] {
        var bytes: [UInt8] = []
        for message in messages {
            bytes.put(message.timestamp & ~fingersBit | (message.kind == .fingers ? fingersBit : 0))
            for sample in message.samples { bytes.put(sample) }
        }
        return bytes + [UInt8](repeating: 0, count: padding)
    }
}
