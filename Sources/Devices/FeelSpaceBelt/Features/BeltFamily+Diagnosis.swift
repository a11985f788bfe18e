import DeviceKit
import JSON

extension BeltFamily {
    static let diagnosisFeatures = [
        errorLog.feature, calibration.feature, rawValues.feature, gatt.feature,
    ]

    static let errorLog = FeatureHandle<BeltErrorLog, NoArguments>(
        "error_log", "The errors that the belt remembers, when it was asked for them.",
        says: .event(
            [
                .field("session", \.session, .integer(0...65_535), "Counts the belt's starts."),
                .field("first", \.firstCode, .text(10...10), "The oldest error; null for none."),
                .field("last", \.lastCode, .text(10...10), "The newest error; null for none."),
                .field(
                    "entries", \.entries,
                    .list(
                        .object([
                            .field(
                                "code", \.hexadecimal, .text(10...10),
                                "The error; the codes' meanings are not known."),
                            .field(
                                "time_ms", \.milliseconds, .integer(0...4_294_967_295), unit: "ms",
                                "When, since that start."),
                            .field("session", \.session, .integer(0...65_535), "In which start."),
                        ]), count: 0...255), "The errors, in the belt's order."),
            ],
            example: BeltErrorLog(
                session: 7, count: 1, first: 2, last: 2,
                entries: [BeltErrorLog.Entry(code: 2, milliseconds: 10_000, session: 7)])),
        takes: .nothing(answers: [Field("entries", .integer(0...255), "How many errors the event has.")]))

    /// Whether and how often the calibration is requested.
    struct CalibrationCommand: Hashable, Sendable {
        var isEnabled = true
        /// In milliseconds.
        var period = 5000
    }

    static let calibration = FeatureHandle<BeltCalibration, CalibrationCommand>(
        "calibration",
        "The calibration of the belt's sensors, where the firmware tells it; off until asked for.",
        says: .stream(
            [
                vector("magnetometer_offsets", \.magnetometerOffsets, "The magnetometer's offsets."),
                vector("magnetometer_gains", \.magnetometerGains, "The magnetometer's gains."),
                .field(
                    "magnetometer_error", \.magnetometerError, .number(BeltCalibration.range),
                    "How far the magnetometer's calibration is off; null on firmware 52 and newer."),
                vector("gyroscope_offsets", \.gyroscopeOffsets, "The gyroscope's offsets."),
                .field("gyroscope_status", \.gyroscopeStatus, .integer(0...255), "The gyroscope's status."),
            ],
            example: BeltCalibration(
                magnetometerOffsets: .init(x: 12.5, y: -3, z: 0.25),
                magnetometerGains: .init(x: 1, y: 1, z: 1),
                magnetometerError: 0.5, gyroscopeOffsets: .init(x: 0, y: 0, z: 0), gyroscopeStatus: 3)),
        takes: Taking(
            CalibrationCommand(),
            [
                .field("enabled", \.isEnabled, .boolean, "Whether the belt is asked for it."),
                .field(
                    "period_ms", \.period, .integer(1000...3_600_000), unit: "ms", "How often it is asked."),
            ],
            shorthands: [.field(\.isEnabled)],
            example: .object(CalibrationCommand(), also: [\.isEnabled, \.period])),
        shown: { keys in
            [
                .reading(
                    "Magnetometer error", of: keys.said(\.magnetometerError), purpose: .diagnosis,
                    icon: "compass-off-outline")
            ]
        })

    private static func vector(
        _ name: String, _ path: any KeyPath<BeltCalibration, BeltCalibration.Vector?> & Sendable,
        _ summary: String
    ) -> SaidField<BeltCalibration> {
        .field(
            name, path,
            .object([
                .field("x", \.x, .number(BeltCalibration.range), "The first number."),
                .field("y", \.y, .number(BeltCalibration.range), "The second number."),
                .field("z", \.z, .number(BeltCalibration.range), "The third number."),
            ]), "\(summary.dropLast()); null where the belt does not tell.")
    }

    static let rawValues = FeatureHandle<BeltSensorPacket, OneArgument<Bool>>(
        "raw_values",
        "The raw values of the belt's sensors, where the firmware tells them; off until asked for.",
        says: .stream(
            [
                .field("sequence", \.sequence, .integer(0...255), "Counts the packets, modulo 256."),
                .field(
                    "records", \.records,
                    .list(
                        .object([
                            .field("id", \.id, .integer(0...255), "Of which sensor; the ids are not known."),
                            .field("x", \.x, .integer(-32_768...32_767), "The first number."),
                            .field("y", \.y, .integer(-32_768...32_767), "The second number."),
                            .field("z", \.z, .integer(-32_768...32_767), "The third number."),
                        ]), count: 0...73), "The values; units are not known."),
            ],
            example: BeltSensorPacket(sequence: 5, records: [.init(id: 1, x: 1000, y: -1000, z: 0)])),
        takes: .one("enabled", true, .boolean, "Whether the belt sends them.", example: true),
        shown: { keys in
            [
                .reading(
                    "Raw sensor values", of: keys.said(\.records), purpose: .diagnosis, icon: "sine-wave")
            ]
        })
}
