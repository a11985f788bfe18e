package import DeviceKit
package import JSON

/// What must come of what: one step, or several in order, on a device that was just set up.
package struct ExampleEntry: Hashable, Sendable {
    /// What happens.
    package enum Action: Hashable, Sendable {
        /// The device notifies.
        case notify(Int, [UInt8])
        /// A read gives this.
        case read(Int, [UInt8])
        /// A command comes.
        case command(String, payload: [UInt8])
        /// A stop of all devices comes.
        case stop
        /// Time passes.
        case advance(Duration)
        /// The link is lost.
        case disconnect
    }

    /// A write that must be made.
    package struct Writing: Hashable, Sendable {
        /// The index of the characteristic.
        package var characteristic: Int
        package var bytes: [UInt8]

        /// Names a write.
        package init(_ characteristic: Int, _ bytes: [UInt8]) {
            self.characteristic = characteristic
            self.bytes = bytes
        }
    }

    package struct Step: Hashable, Sendable {
        /// What happens.
        package var action: Action
        /// What must be published, by feature, in order.
        package var publishes: [Publication]
        /// What must be written, in order.
        package var writes: [Writing]
        /// The code with which a command must be refused.
        package var error: CommandError.Code?
        /// The line of the file.
        @SourceLine package var line: Int

        /// Makes a step.
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

    /// What must be published.
    package struct Publication: Hashable, Sendable {
        package var feature: String
        /// The value, without `time` and `seq`.
        package var value: JSON.Value

        /// Names what must be published.
        package init(_ feature: String, _ value: JSON.Value) {
            self.feature = feature
            self.value = value
        }
    }

    /// The steps, in order.
    package var steps: [Step]

    /// Makes an example.
    package init(_ steps: [Step]) { self.steps = steps }

    /// The line of the file.
    package var line: Int { steps.first?.line ?? 0 }
}
