import DeviceKit
import JSON

/// Collects raw values for a while, so that they go out as one message.
struct RawBatch: Sendable {
    /// For how long; zero does not collect at all.
    let time: Duration
    private var values: [JSON.Value] = []

    init(_ settings: Arguments) {
        time = .milliseconds(settings.integer("raw_batch_ms") ?? 0)
    }

    /// Whether each value goes out by itself.
    var isOff: Bool { time == .zero }

    /// Adds a value; true for the first one, from which the time is counted.
    mutating func add(_ value: JSON.Value) -> Bool {
        values.append(value)
        return values.count == 1
    }

    /// What was collected, as it is published; nil for nothing.
    mutating func take() -> JSON.Value? {
        guard !values.isEmpty else { return nil }
        defer { values.removeAll(keepingCapacity: true) }
        return .array(values)
    }
}

extension RawMessage {
    /// The measurement as it is published, in mdps and mg.
    func report(_ sensitivity: Sensitivity) -> JSON.Value {
        func vector(_ first: Int, _ scale: Sensitivity.Scale) -> JSON.Value {
            [
                "x": .number(scale.value(of: samples[first])),
                "y": .number(scale.value(of: samples[first + 1])),
                "z": .number(scale.value(of: samples[first + 2])),
            ]
        }
        switch kind {
        case .imu:
            return [
                "type": "imu", "timestamp_ms": .integer(Int(timestamp)),
                "gyro": vector(0, sensitivity.gyroScale),
                "accelerometer": vector(3, sensitivity.accelerometerScale),
            ]
        case .fingers:
            let scale = sensitivity.fingerScale
            return [
                "type": "fingers", "timestamp_ms": .integer(Int(timestamp)), "thumb": vector(0, scale),
                "index": vector(3, scale), "middle": vector(6, scale), "ring": vector(9, scale),
                "pinky": vector(12, scale),
            ]
        }
    }
}
