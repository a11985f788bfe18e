import Bluetooth
import DeviceKit

/// What is asked of a TAP on a new link, one step after another.
struct Handshake: Hashable, Sendable {
    /// One step.
    enum Step: Hashable, Sendable {
        /// Read a value.
        case read(CharacteristicID)
        /// Ask for notifications.
        case subscribe(CharacteristicID)
    }

    /// How long the whole may take.
    static let time = Duration.seconds(20)

    private var steps: ArraySlice<Step> = []

    /// Nothing is left to do.
    init() {}

    /// All that this TAP has: who it is, how it stands, and then its events, taps first.
    init(_ profile: LinkProfile) {
        let read = [
            GATT.hardware, GATT.firmware, GATT.serial, GATT.manufacturer, GATT.deviceName, GATT.battery,
        ].filter { profile.characteristics[$0]?.contains(.read) ?? false }
        let notified = [GATT.taps, GATT.mouse, GATT.air, GATT.raw, GATT.battery].filter { id in
            id == GATT.taps
                || profile.characteristics[id].map { !$0.isDisjoint(with: [.notify, .indicate]) } ?? false
        }
        steps = (read.map(Step.read) + notified.map(Step.subscribe))[...]
    }

    /// The step under way; nil when all is done.
    var current: Step? { steps.first }

    /// The step is done.
    mutating func advance() { steps = steps.dropFirst() }

    /// Whether the TAP can be used without what the step brings.
    static func isOptional(_ step: Step) -> Bool { step != .subscribe(GATT.taps) }
}
