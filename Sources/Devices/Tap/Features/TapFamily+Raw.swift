import DeviceKit

extension TapFamily {
    static let raw = FeatureHandle<TapRawReport, Never>(
        "raw",
        "The sensors' values in raw mode: of the thumb unit, or of the fingers. With raw_batch_ms several in an "
            + "array.",
        says: .stream(
            rawFields,
            example: TapRawReport(
                TapRawMessage(kind: .imu, timestamp: 123, samples: [100, -100, 200, -200, 300, -300]),
                TapSensitivity()),
            alternatives: [
                TapRawReport(
                    TapRawMessage(kind: .fingers, timestamp: 124, samples: (1...15).map { $0 }),
                    TapSensitivity())
            ]
        ).batched,
        isPrivate: true)

    private static var rawFields: [SaidField<TapRawReport>] {
        var fields: [SaidField<TapRawReport>] = [
            .field("type", \.kind, .choice, "The group of sensors."),
            .field(
                "timestamp_ms", \.timestamp, .integer(0...0x7FFF_FFFF), unit: "ms",
                "The time on the TAP's own clock."),
            .optional("gyro", \.gyro, vector("mdps"), "The thumb unit's turn rate; only with type imu."),
            .optional(
                "accelerometer", \.accelerometer, vector("mg"),
                "The thumb unit's acceleration; only with type imu."),
        ]
        for (finger, path) in zip(TapFinger.allCases, TapRawReport.fingers) {
            fields.append(
                .optional(
                    finger.name, path, vector("mg"), "The finger's acceleration; only with type fingers."))
        }
        return fields
    }

    private static func vector(_ unit: String) -> ValueKind<TapRawReport.Vector> {
        func along(_ axis: String, _ path: any KeyPath<TapRawReport.Vector, Double> & Sendable)
            -> SaidField<TapRawReport.Vector>
        {
            .field(axis, path, .number(-2_500_000...2_500_000), unit: unit, "The value along \(axis).")
        }
        return .object([along("x", \.x), along("y", \.y), along("z", \.z)])
    }
}

/// A published measurement of the raw stream: turn rates in mdps, accelerations in mg.
struct TapRawReport: Hashable, Sendable {
    /// The measurement of one sensor in three axes.
    struct Vector: Hashable, Sendable {
        var x, y, z: Double
    }

    var kind: TapRawMessage.Kind
    var timestamp: UInt32
    private(set) var gyro: Vector?
    private(set) var accelerometer: Vector?
    private(set) var thumb, index, middle, ring, pinky: Vector?

    /// The values of the fingers, thumb first.
    static let fingers: [any KeyPath<Self, Vector?> & Sendable] = [
        \.thumb, \.index, \.middle, \.ring, \.pinky,
    ]

    init(_ message: TapRawMessage, _ sensitivity: TapSensitivity) {
        (kind, timestamp) = (message.kind, message.timestamp)
        func vector(_ sensor: Int, _ scale: TapSensitivity.Scale) -> Vector {
            let first = 3 * sensor
            return Vector(
                x: scale.value(of: message.samples[first]), y: scale.value(of: message.samples[first + 1]),
                z: scale.value(of: message.samples[first + 2]))
        }
        switch kind {
        case .imu:
            gyro = vector(0, sensitivity.gyroScale)
            accelerometer = vector(1, sensitivity.accelerometerScale)
        case .fingers:
            let scale = sensitivity.fingerScale
            (thumb, index, middle) = (vector(0, scale), vector(1, scale), vector(2, scale))
            (ring, pinky) = (vector(3, scale), vector(4, scale))
        }
    }
}
