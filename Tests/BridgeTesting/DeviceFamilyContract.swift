package import DeviceKit
import HostTesting
package import JSON

/// How every family's machine must behave, so that the rest of the bridge need not know any of them.
///
/// Each check returns sentences that say what is broken; none if all is well.
package struct DeviceFamilyContract {
    /// The family under test.
    package let family: any DeviceFamily

    /// Prepares the checks of a family, with a device that replies as the family declares.
    package init(_ family: any DeviceFamily) { self.family = family }

    /// An example as it goes over the wire: text without quotes, as `mosquitto_pub` sends it.
    package static func payload(_ example: JSON.Value) -> [UInt8] {
        example.string.map { Array($0.utf8) } ?? example.bytes
    }

    /// With a device that behaves well, every command comes to its end and the machine to a good order.
    package var brokenPeace: [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: 0), reply: GoodDevice.reply(family))
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
        var drive = ContractDrive(family, random: RandomSource(seed: seed), reply: GoodDevice.reply(family))
        for _ in 0..<steps {
            drive.step()
            if !drive.complaints.isEmpty { break }
        }
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with the inputs that these bytes choose, among them notifications with bytes of theirs.
    package func brokenBehaviour(_ bytes: [UInt8]) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(bytes), reply: GoodDevice.reply(family))
        while !drive.random.isSpent, drive.complaints.isEmpty { drive.step() }
        drive.finish()
        return drive.complaints
    }
}
