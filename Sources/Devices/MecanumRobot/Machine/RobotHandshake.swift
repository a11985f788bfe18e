import Bluetooth
import DeviceKit

/// How far the robot is brought to rest after a connection: three writes, and three reads that prove them.
struct RobotHandshake: Hashable, Sendable {
    /// How often the three values are written before the robot is given up.
    static let attempts = 3
    /// How long it may take in all.
    static let time = Duration.seconds(10)
    /// How long after a connection the firmware may still be busy cutting the power for the disconnect before
    /// it, whatever it is told meanwhile.
    static let settlingTime = Duration.milliseconds(2500)

    /// The writes that are under way.
    var batch: RobotBatch?
    /// What each characteristic is expected to say, for those that were not read yet.
    var expected: [CharacteristicID: [UInt8]] = [:]
    /// What did not say what was expected.
    var disagreement: String?
    /// How many attempts failed.
    var failures = 0
}
