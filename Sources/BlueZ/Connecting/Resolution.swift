package import Bluetooth
import DBus

/// Decides whether a device that is being connected is ready for use. Pure; asked again after every change.
package enum Resolution {
    package enum Step: Hashable, Sendable {
        /// Nothing to decide yet.
        case wait
        /// bluetoothd calls the services resolved, but some that are asked for are not there (yet): it sends
        /// the signal at times before it shows them, so look again until a short time has passed.
        case settle(missing: [CharacteristicID])
        /// All is there.
        case ready
        /// The link went away again.
        case disconnected
        /// The object of the device went away.
        case removed
    }

    /// - Parameter table: Put together only if the services are resolved: until then this is asked at each change.
    package static func step(
        device: Device?, table: @autoclosure () -> GattTable, _ requirements: LinkRequirements
    ) -> Step {
        guard let device else { return .removed }
        guard device.isConnected else { return .disconnected }
        guard device.isResolved else { return .wait }
        let there = table().properties
        let wanted = requirements.required + requirements.substitutes + requirements.optional
        let missing = wanted.filter { there[$0] == nil }
        return missing.isEmpty ? .ready : .settle(missing: missing)
    }

    /// Whether the device has all that stands in the place of what is required.
    package static func isReplaced(_ requirements: LinkRequirements, missing: [CharacteristicID]) -> Bool {
        !requirements.substitutes.isEmpty && !requirements.substitutes.contains(where: missing.contains)
    }
}
