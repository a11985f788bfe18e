import DeviceKit

/// Mouse motion, notified on `c3ff0006`.
struct TapMouseReport: Hashable, Sendable {
    /// The motion to the right; the unit is unknown.
    var velocityX: Int16
    /// The downward motion.
    var velocityY: Int16
    /// A value that only the Android SDK names; its unit is unknown.
    var dt: UInt32
    /// Whether the hand is on a surface, as on a mouse.
    var isMouse: Bool
    /// The orientation of the device, in degrees; only newer firmware.
    var roll, pitch, yaw: Int16?

    init(
        velocityX: Int16, velocityY: Int16, dt: UInt32, isMouse: Bool, roll: Int16? = nil,
        pitch: Int16? = nil, yaw: Int16? = nil
    ) {
        (self.roll, self.pitch, self.yaw) = (roll, pitch, yaw)
        self.velocityX = velocityX
        self.velocityY = velocityY
        self.dt = dt
        self.isMouse = isMouse
    }

    /// Decodes at least 10 bytes; nil for fewer bytes, and for packets that are not motion.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 10, bytes[0] == 0 else { return nil }
        velocityX = bytes.int16(at: 1)
        velocityY = bytes.int16(at: 3)
        dt = bytes.uint32(at: 5)
        isMouse = bytes[9] == 1
        if bytes.count >= 16 {
            (roll, pitch, yaw) = (bytes.int16(at: 10), bytes.int16(at: 12), bytes.int16(at: 14))
        }
    }
}
