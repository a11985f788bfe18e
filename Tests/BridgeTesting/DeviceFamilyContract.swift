package import Bluetooth
package import DeviceKit
package import JSON

/// How every family's machine must behave, so that the rest of the bridge need not know any of them.
///
/// Each check returns sentences that say what is broken; none if all is well.
package struct DeviceFamilyContract {
    /// What a device does when it is read, written or subscribed.
    package struct Reply: Sendable {
        /// What a read gives.
        package var value: [UInt8]
        /// What it notifies then.
        package var notifications: [CharacteristicID: [UInt8]]

        /// Makes a reply.
        package init(value: [UInt8] = [], notifications: [CharacteristicID: [UInt8]] = [:]) {
            self.value = value
            self.notifications = notifications
        }
    }

    /// The family under test.
    package let family: any DeviceFamily
    private let reply: @Sendable (LinkOperation) -> Reply

    /// Prepares the checks of a family.
    ///
    /// - Parameter reply: What a well-behaved device does, so that the machine comes as far as being ready.
    package init(_ family: any DeviceFamily, reply: @escaping @Sendable (LinkOperation) -> Reply) {
        self.family = family
        self.reply = reply
    }

    /// An example as it goes over the wire: text without quotes, as `mosquitto_pub` sends it.
    package static func payload(_ example: JSON.Value) -> [UInt8] {
        example.string.map { Array($0.utf8) } ?? example.bytes
    }

    /// With a device that behaves well, every command comes to its end and the machine to a good order.
    package var brokenPeace: [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: 0), reply: reply)
        drive.liveInPeace()
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with random inputs that a session could give, and watches it.
    ///
    /// - Parameters:
    ///   - seed: Which random sequence.
    ///   - steps: How many inputs.
    package func brokenBehaviour(seed: UInt64, steps: Int) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: seed), reply: reply)
        for _ in 0..<steps {
            drive.step()
            if !drive.complaints.isEmpty { break }
        }
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with the inputs that these bytes choose, among them notifications with bytes of theirs.
    package func brokenBehaviour(_ bytes: [UInt8]) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(bytes), reply: reply)
        while !drive.random.isSpent, drive.complaints.isEmpty { drive.step() }
        drive.finish()
        return drive.complaints
    }
}
