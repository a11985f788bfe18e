import DeviceKit
import JSON

extension BeltFamily {
    static let diagnosisFeatures = [
        errorLog.feature, calibration.feature, rawValues.feature, gatt.feature,
    ]

    static let errorLog = FeatureHandle<BeltErrorLog, NoArguments>(
        "error_log", "The errors that the belt has stored, published on request.",
        says: .event(
            [
                .field("session", \.session, .integer(0...65_535), "The number of the belt's start."),
                .field("first", \.firstCode, .text(10...10), "The oldest error; null for none."),
                .field("last", \.lastCode, .text(10...10), "The newest error; null for none."),
                .field(
                    "entries", \.entries,
                    .list(
                        .object([
                            .field(
                                "code", \.hexadecimal, .text(10...10),
                                "The error; the meaning of the codes is unknown."),
                            .field(
                                "time_ms", \.milliseconds, .integer(0...4_294_967_295), unit: "ms",
                                "The time since that start."),
                            .field("session", \.session, .integer(0...65_535), "The number of the start."),
                        ]), count: 0...255), "The errors, in the belt's order."),
            ],
            example: BeltErrorLog(
                session: 7, count: 1, first: 2, last: 2,
                entries: [BeltErrorLog.Entry(code: 2, milliseconds: 10_000, session: 7)])),
        takes: .nothing(answers: [Field("entries", .integer(0...255), "The number of errors in the event.")]))

    /// Whether the bridge requests the calibration of the belt, and how often.
    struct CalibrationCommand: Hashable, Sendable {
        var isEnabled = true
        /// The time between two requests, in milliseconds.
        var period = 5000
    }

    static let calibration = FeatureHandle<BeltCalibration, CalibrationCommand>(
        "calibration",
        "The calibration of the belt's sensors, if the firmware reports it; off by default.",
        says: .stream(
            [
                vector("magnetometer_offsets", \.magnetometerOffsets, "The magnetometer's offsets."),
                vector("magnetometer_gains", \.magnetometerGains, "The magnetometer's gains."),
                .field(
                    "magnetometer_error", \.magnetometerError, .number(BeltCalibration.range),
                    "The error of the magnetometer's calibration; null on firmware 52 and newer."),
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
                .field("enabled", \.isEnabled, .boolean, "Whether the bridge requests it."),
                .field(
                    "period_ms", \.period, .integer(1000...3_600_000), unit: "ms",
                    "The interval between requests."),
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
            ]), "\(summary.dropLast()); null if the belt does not report it.")
    }

    static let rawValues = FeatureHandle<BeltSensorPacket, OneArgument<Bool>>(
        "raw_values",
        "The raw values of the belt's sensors, if the firmware sends them; off by default.",
        says: .stream(
            [
                .field("sequence", \.sequence, .integer(0...255), "Counts the packets, modulo 256."),
                .field(
                    "records", \.records,
                    .list(
                        .object([
                            .field("id", \.id, .integer(0...255), "The sensor's id; its meaning is unknown."),
                            .field("x", \.x, .integer(-32_768...32_767), "The first number."),
                            .field("y", \.y, .integer(-32_768...32_767), "The second number."),
                            .field("z", \.z, .integer(-32_768...32_767), "The third number."),
                        ]), count: 0...73), "The values; the units are unknown."),
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
