import DeviceKit

/// A reading of the belt's orientation sensor, notified on `FE0C`.
struct BeltOrientationReading: Hashable, Sendable {
    /// The source of the fused orientation; other sources are unknown (`FSCommandManager`).
    static let fusion: UInt8 = 2

    /// Which sensor the reading comes from: ``fusion``, or a code of unknown meaning.
    var source: UInt8
    /// Degrees between magnetic north and the belt's front, as received: can be negative.
    var heading: Int16
    /// Degrees between magnetic north and the control box.
    var boxHeading: Int16
    /// The control box's roll in degrees.
    var roll: Int16
    /// The control box's pitch in degrees.
    var pitch: Int16
    /// The accuracy in degrees.
    var accuracy: Int16
    /// The status of magnetometer, accelerometer, gyroscope and fusion: 0 (inaccurate) to 3 (accurate), -1 unknown.
    var magnetometer: Int8
    /// The status of the accelerometer, with the values of ``magnetometer``.
    var accelerometer: Int8
    /// The status of the gyroscope, with the values of ``magnetometer``.
    var gyroscope: Int8
    /// The status of the sensor fusion, with the values of ``magnetometer``.
    var fusion: Int8
    /// Whether the belt considers the orientation accurate.
    var isAccurate: Bool

    /// Creates a reading of a level, accurate belt.
    init(heading: Int16, boxHeading: Int16 = 0) {
        source = Self.fusion
        self.heading = heading
        self.boxHeading = boxHeading
        (roll, pitch, accuracy) = (0, 0, 5)
        (magnetometer, accelerometer, gyroscope, fusion) = (3, 3, 3, 3)
        isAccurate = true
    }

    /// Decodes at least 16 bytes; nil for fewer bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        source = bytes[0]
        heading = bytes.int16(at: 1)
        boxHeading = bytes.int16(at: 3)
        roll = bytes.int16(at: 5)
        pitch = bytes.int16(at: 7)
        accuracy = bytes.int16(at: 9)
        magnetometer = Int8(bitPattern: bytes[11])
        accelerometer = Int8(bitPattern: bytes[12])
        gyroscope = Int8(bitPattern: bytes[13])
        fusion = Int8(bitPattern: bytes[14])
        isAccurate = bytes[15] == 0
    }

    /// The packet, 16 bytes.
    var bytes: [UInt8] {
        var bytes = [source]
        for angle in [heading, boxHeading, roll, pitch, accuracy] { bytes.put(angle) }
        for status in [magnetometer, accelerometer, gyroscope, fusion] {
            bytes.put(UInt8(bitPattern: status))
        }
        bytes.put(!isAccurate)
        return bytes
    }
}
