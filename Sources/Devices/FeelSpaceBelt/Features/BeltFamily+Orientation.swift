import DeviceKit
import JSON

extension BeltFamily {
    /// Whether and how often the orientation is published.
    struct OrientationCommand: Hashable, Sendable {
        var isEnabled = true
        /// The time between two orientation notifications, in milliseconds.
        var period = BeltOrientationStream.defaultPeriod
        /// The smallest change of the heading, in degrees, that is published.
        var minimumChange = 0.0
    }

    static let orientation = FeatureHandle<BeltOrientationReading, OrientationCommand>(
        "orientation", "The belt's orientation, from its own sensors.",
        says: .stream(
            [
                .field(
                    "heading", \.normalHeading, .angle, unit: "degrees",
                    "The angle from magnetic north to the belt's front."),
                .field(
                    "box_heading", \.normalBoxHeading, .angle, unit: "degrees",
                    "The angle from magnetic north to the control box."),
                .field(
                    "roll", \.roll, .integer(-32_768...32_767), unit: "degrees", "The control box's roll."),
                .field(
                    "pitch", \.pitch, .integer(-32_768...32_767), unit: "degrees",
                    "The control box's pitch."),
                .field(
                    "accuracy", \.accuracy, .integer(-32_768...32_767), unit: "degrees",
                    "The possible error of the heading."),
                .field(
                    "accurate", \.isAccurate, .boolean, "Whether the belt considers the heading accurate."),
                .field(
                    "sensors", \.self,
                    .object([
                        status("magnetometer", \.magnetometerStatus),
                        status("accelerometer", \.accelerometerStatus),
                        status("gyroscope", \.gyroscopeStatus), status("fusion", \.fusionStatus),
                    ]), "The state of each sensor and of their fusion."),
            ],
            example: {
                var reading = BeltOrientationReading(heading: 90, boxHeading: 45)
                (reading.roll, reading.pitch) = (-2, 10)
                return reading
            }()),
        takes: Taking(
            OrientationCommand(),
            [
                .field("enabled", \.isEnabled, .boolean, "Whether it is published."),
                .field(
                    "period_ms", \.period, .integer(orientationPeriods), unit: "ms",
                    "The interval between reports; values other than 500 need firmware 52."),
                .field(
                    "min_change", \.minimumChange, .number(0...180), unit: "degrees",
                    "The change of the heading that causes a report; 0 for always."),
            ],
            shorthands: [.field(\.isEnabled)],
            example: .object(OrientationCommand(), also: [\.isEnabled, \.period, \.minimumChange])),
        shown: { keys in
            func angle(
                _ title: String, _ path: PartialKeyPath<BeltOrientationReading>, _ icon: String
            ) -> Presentation {
                .reading(title, of: keys.said(path), purpose: .diagnosis, icon: icon)
            }
            return [
                .reading("Heading", of: keys.said(\.normalHeading), icon: "compass"),
                angle("Compass accurate", \.isAccurate, "compass-outline"),
                angle("Compass error", \.accuracy, "compass-outline"),
                angle("Box heading", \.normalBoxHeading, "compass"),
                angle("Box roll", \.roll, "axis-x-rotate-clockwise"),
                angle("Box pitch", \.pitch, "axis-y-rotate-clockwise"),
            ]
        })

    private static func status(
        _ name: String, _ path: any KeyPath<BeltOrientationReading, Int8?> & Sendable
    ) -> SaidField<BeltOrientationReading> {
        .field(name, path, .integer(0...3), "The state; 3 is best, null is unknown.")
    }
}

extension BeltOrientationReading {
    /// The heading, 0 to 359 degrees.
    var normalHeading: Int { Self.normal(heading) }
    /// The heading of the control box, 0 to 359 degrees.
    var normalBoxHeading: Int { Self.normal(boxHeading) }
    /// The accuracy of the magnetometer, from 0 (inaccurate) to 3 (accurate); nil if it is unknown.
    var magnetometerStatus: Int8? { Self.known(magnetometer) }
    /// The accuracy of the accelerometer, with the values of ``magnetometerStatus``.
    var accelerometerStatus: Int8? { Self.known(accelerometer) }
    /// The accuracy of the gyroscope, with the values of ``magnetometerStatus``.
    var gyroscopeStatus: Int8? { Self.known(gyroscope) }
    /// The accuracy of the sensor fusion, with the values of ``magnetometerStatus``.
    var fusionStatus: Int8? { Self.known(fusion) }

    private static func normal(_ degrees: Int16) -> Int { ((Int(degrees) % 360) + 360) % 360 }
    private static func known(_ status: Int8) -> Int8? { (0...3).contains(status) ? status : nil }
}
