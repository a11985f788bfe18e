package import Bluetooth
package import DeviceKit

/// A device file as values: what a family of devices is, says and takes, without any behavior of its own.
///
/// Characteristics are named by their index in ``characteristics``; everything in a value of this type fits
/// together, as the strict reading has checked it.
package struct DeviceFile: Hashable, Sendable {
    /// When the bridge connects to such a device.
    package enum Connecting: String, Hashable, Sendable, CaseIterable {
        /// Whenever it is there.
        case always
        /// On request, since its owner's phone wants it too.
        case onRequest = "on_request"
    }

    /// Who is let in without being named in the configuration.
    package enum Joining: String, Hashable, Sendable, CaseIterable {
        /// No: a device is let in by its family or its address only.
        case named
        /// Every device that fits.
        case plain
    }

    /// The family's name, the first word of the topics.
    package var family: String
    /// The device's name as its maker writes it.
    package var title: String
    /// Where the facts come from.
    package var source: String
    /// What a group of all such devices is called.
    package var plural: String
    /// The default name of devices.
    package var naming: Naming
    /// How a device is recognized: one of these must fit.
    package var matches: [DeviceMatch]
    /// Who is let in without being named.
    package var joining: Joining
    package var bonding: LinkRequirements.Bonding
    package var connecting: Connecting
    /// What a configuration may say of such devices.
    package var settings: [DeviceSetting]
    /// The characteristics that are used.
    package var characteristics: [CharacteristicEntry]
    /// What is done on a new link, in order.
    package var setup: [SetupStep]
    /// What is done again and again while connected.
    package var every: [Repetition]
    /// What is written before an orderly disconnect.
    package var goodbye: [WriteStep]
    /// What the guardian writes when the bridge dies.
    package var will: [WriteStep]
    package var stop: [WriteStep]
    /// What the devices say and take, in the order of the file.
    package var features: [FeatureEntry]
    /// How patterns are played; nil for a device that cannot vibrate.
    package var haptic: HapticEntry?
    /// What must come of what, as the file says it.
    package var examples: [ExampleEntry]

    /// Makes a file that says nothing but what it must.
    package init(family: String, title: String, source: String) {
        self.family = family
        self.title = title
        self.source = source
        plural = family + "s"
        naming = .single
        matches = []
        joining = .named
        bonding = .onDemand
        connecting = .always
        settings = []
        characteristics = []
        setup = []
        every = []
        goodbye = []
        will = []
        stop = []
        features = []
        haptic = nil
        examples = []
    }

    /// Whether anything of it can hurt a person.
    package var isHazardous: Bool { features.contains { $0.command?.isHazardous ?? false } }
}

/// A characteristic under its short name.
package struct CharacteristicEntry: Hashable, Sendable {
    /// How bytes become lines.
    package struct Lines: Hashable, Sendable {
        /// What ends a line; nil if only a pause does.
        package var end: [UInt8]?
        /// The pause that ends a line of a device that sends no end.
        package var idle: Duration?
        /// Lines that mean nothing.
        package var ignored: [String]

        /// The longest line in bytes.
        package static let limit = 512

        /// Declares how bytes become lines.
        package init(end: [UInt8]? = nil, idle: Duration? = nil, ignored: [String] = []) {
            self.end = end
            self.idle = idle
            self.ignored = ignored
        }
    }

    /// Its short name.
    package var name: String
    /// Its service and its own UUID.
    package var id: CharacteristicID
    /// Whether a device can be used without it.
    package var isOptional: Bool
    /// How its bytes become lines; nil for one that sends packets.
    package var lines: Lines?

    package init(_ name: String, _ id: CharacteristicID, isOptional: Bool = false, lines: Lines? = nil) {
        self.name = name
        self.id = id
        self.isOptional = isOptional
        self.lines = lines
    }
}

/// Something that a configuration may say of a device.
package struct DeviceSetting: Hashable, Sendable {
    /// Its declaration.
    package var field: Field
    /// Whether it is shown nowhere.
    package var isSecret: Bool

    /// Declares a setting.
    package init(_ field: Field, isSecret: Bool = false) {
        self.field = field
        self.isSecret = isSecret
    }
}
