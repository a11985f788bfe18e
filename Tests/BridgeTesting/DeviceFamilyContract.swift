package import DeviceKit
import HostTesting
package import JSON

/// The rules for the machine of every family. The rest of the bridge depends on these rules only.
///
/// Each check returns the broken rules as sentences; none if all rules hold.
package struct DeviceFamilyContract {
    /// The family under test.
    package let family: any DeviceFamily

    /// Creates the checks for a family. The device replies as the family declares.
    package init(_ family: any DeviceFamily) { self.family = family }

    /// Returns the payload of an example: text without quotes, as `mosquitto_pub` sends it.
    package static func payload(_ example: JSON.Value) -> [UInt8] {
        example.string.map { Array($0.utf8) } ?? example.bytes
    }

    /// Checks that with a well-behaved device every command completes and the machine disconnects cleanly.
    package var brokenPeace: [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: 0), reply: GoodDevice.reply(family))
        drive.liveInPeace()
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with random inputs that a session could give, and checks it.
    ///
    /// - Parameters:
    ///   - seed: The seed of the random sequence.
    ///   - steps: The number of inputs.
    package func brokenBehaviour(seed: UInt64, steps: Int) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(seed: seed), reply: GoodDevice.reply(family))
        for _ in 0..<steps {
            drive.step()
            if !drive.complaints.isEmpty { break }
        }
        drive.finish()
        return drive.complaints
    }

    /// Drives the machine with the inputs that the bytes select. Notifications take their values from the bytes too.
    package func brokenBehaviour(_ bytes: [UInt8]) -> [String] {
        var drive = ContractDrive(family, random: RandomSource(bytes), reply: GoodDevice.reply(family))
        while !drive.random.isSpent, drive.complaints.isEmpty { drive.step() }
        drive.finish()
        return drive.complaints
    }
}
