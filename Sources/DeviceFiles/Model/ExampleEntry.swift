package import Bluetooth
package import DeviceKit
package import JSON

/// An example of a device file: one or several steps, in order, on a newly connected device, with their expected
/// results.
package struct ExampleEntry: Hashable, Sendable {
    /// The input of a step.
    package enum Action: Hashable, Sendable {
        /// The device sends a notification.
        case notify(Int, [UInt8])
        /// The device returns this value for a read.
        case read(Int, [UInt8])
        /// The device advertises this data.
        case advertise(Int, [UInt8])
        /// The bridge visits the device, whose reads return these values.
        case visit([Int: [UInt8]])
        /// The bridge receives a command.
        case command(String, payload: [UInt8])
        /// The bridge receives a stop for all devices.
        case stop
        case advance(Duration)
        /// The connection is lost.
        case disconnect
    }

    package struct Writing: Hashable, Sendable {
        package var characteristic: Int
        package var bytes: [UInt8]

        package init(_ characteristic: Int, _ bytes: [UInt8]) {
            self.characteristic = characteristic
            self.bytes = bytes
        }
    }

    /// The simulated device with which an example runs.
    package struct Device: Hashable, Sendable {
        package var address: Address = "AA:BB:CC:DD:EE:FF"
        /// The settings that differ from their defaults.
        package var settings: JSON.Object = [:]
        /// The values that reads return, by characteristic.
        package var reads: [Int: [UInt8]] = [:]
    }

    package struct Step: Hashable, Sendable {
        package var action: Action
        /// The expected messages, by feature, in order.
        package var publishes: [Publication]
        /// The expected writes, in order.
        package var writes: [Writing]
        /// The error code with which the command must be refused; nil if it must succeed.
        package var error: CommandError.Code?
        /// Whether the device must be online after the step; nil if the example does not test this.
        package var isAvailable: Bool?
        /// The expected values in the answer to the command, even if the answer refuses the command.
        package var answer: JSON.Object?
        @SourceLine package var line: Int

        package init(
            _ action: Action, publishes: [Publication] = [], writes: [Writing] = [],
            error: CommandError.Code? = nil, line: Int = 0
        ) {
            self.action = action
            self.publishes = publishes
            self.writes = writes
            self.error = error
            self.line = line
        }
    }

    package struct Publication: Hashable, Sendable {
        package var feature: String
        /// The value, without `time` and `seq`.
        package var value: JSON.Value

        package init(_ feature: String, _ value: JSON.Value) {
            self.feature = feature
            self.value = value
        }
    }

    package var device = Device()
    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package var line: Int { steps.first?.line ?? 0 }
}
