package import Bluetooth
package import DeviceKit

/// The contents of a device file: the description of a device family, without behavior.
///
/// Characteristics are identified by their index in ``characteristics``. The reader has validated all references.
package struct DeviceFile: Hashable, Sendable {
    /// When the bridge connects to such a device.
    package enum Connecting: String, Hashable, Sendable, CaseIterable {
        /// Whenever the device is in range.
        case always
        /// On request only, because the owner's phone needs the connection as well.
        case onRequest = "on_request"
    }

    /// Which devices may join although the configuration does not name them.
    package enum Joining: String, Hashable, Sendable, CaseIterable {
        /// None: the configuration must name the family or the address.
        case named
        /// Every device that matches.
        case plain
    }

    /// The family's name, which is the first level of its topics.
    package var family: String
    /// The device's name in the manufacturer's spelling.
    package var title: String
    /// The manufacturer, if the device does not state it; nil if unknown.
    package var manufacturer: String?
    /// The source of the facts in the file.
    package var source: String
    /// The manufacturer and the model of the devices.
    package var info = DeviceInfo()
    /// The name of the group that contains all devices of the family.
    package var plural: String
    /// The default naming of devices.
    package var naming: Naming
    /// The conditions for recognition. One of them must match.
    package var matches: [DeviceMatch]
    /// Which devices may join although the configuration does not name them.
    package var joining: Joining
    package var bonding: LinkRequirements.Bonding
    /// Whether notifications must arrive as signals of bluetoothd, not through a socket.
    package var needsSignals: Bool
    package var connecting: Connecting
    /// The settings that a configuration may contain for such devices.
    package var settings: [DeviceSetting]
    /// The characteristics that the file uses.
    package var characteristics: [CharacteristicEntry]
    /// The steps on a new connection, in order.
    package var setup: [SetupStep]
    /// The actions that are repeated while the device is connected.
    package var every: [Repetition]
    /// The writes before an orderly disconnect.
    package var goodbye: [WriteStep]
    /// The writes that the guardian makes if the bridge process dies.
    package var will: [WriteStep]
    package var stop: [WriteStep]
    /// The features, in the order of the file.
    package var features: [FeatureEntry]
    /// The haptic playback; nil for a device that cannot vibrate.
    package var haptic: HapticEntry?
    /// The examples: inputs and their expected results.
    package var examples: [ExampleEntry]

    /// Creates a file with the required values only.
    package init(family: String, title: String, source: String) {
        self.family = family
        self.title = title
        self.source = source
        plural = family + "s"
        naming = .single
        matches = []
        joining = .named
        bonding = .onDemand
        needsSignals = false
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

    /// Whether the file has a hazardous command.
    package var isHazardous: Bool { features.contains { $0.command?.isHazardous ?? false } }
}

/// A characteristic and its short name.
package struct CharacteristicEntry: Hashable, Sendable {
    /// The assembly of bytes to lines.
    package struct Lines: Hashable, Sendable {
        /// The bytes that end a line; nil if only a pause ends it.
        package var end: [UInt8]?
        /// The pause that ends a line if the device sends no line end.
        package var idle: Duration?
        /// Lines that are ignored.
        package var ignored: [String]

        /// The longest line in bytes.
        package static let limit = 512

        package init(end: [UInt8]? = nil, idle: Duration? = nil, ignored: [String] = []) {
            self.end = end
            self.idle = idle
            self.ignored = ignored
        }
    }

    package var name: String
    /// The UUIDs of the service and of the characteristic.
    package var id: CharacteristicID
    /// Whether the device can be used without this characteristic.
    package var isOptional: Bool
    /// The conversion of its bytes to lines; nil for a characteristic that sends packets.
    package var lines: Lines?

    package init(_ name: String, _ id: CharacteristicID, isOptional: Bool = false, lines: Lines? = nil) {
        self.name = name
        self.id = id
        self.isOptional = isOptional
        self.lines = lines
    }
}

/// A setting that a configuration may contain for a device.
package struct DeviceSetting: Hashable, Sendable {
    package var field: Field
    /// Whether the value is kept out of answers, logs and topics.
    package var isSecret: Bool

    package init(_ field: Field, isSecret: Bool = false) {
        self.field = field
        self.isSecret = isSecret
    }
}
