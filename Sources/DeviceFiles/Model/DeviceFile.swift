package import Bluetooth
package import DeviceKit

/// The contents of a device file: the description of a device family, without behavior.
///
/// Characteristics are identified by their index in ``characteristics``. The reader has validated all references.
package struct DeviceFile: Hashable, Sendable {
    /// The condition under which the bridge connects to a device of the family.
    package enum Connecting: String, Hashable, Sendable, CaseIterable {
        /// The bridge connects whenever the device is in range.
        case always
        /// The bridge connects only on request, because the owner's phone also needs the connection.
        case onRequest = "on_request"
        /// Never: the device is used by its advertisements.
        case never
        /// The bridge connects from time to time, exchanges data, and disconnects.
        case visit

        /// Whether values that the device has sent are still valid without a link.
        var outlivesLinks: Bool { self == .never || self == .visit }
    }

    /// The devices that may join during a `permit_join` that names neither their family nor their address.
    package enum Joining: String, Hashable, Sendable, CaseIterable {
        /// No device may join: the request or the configuration must name the family or the address.
        case named
        /// Every device that matches may join.
        case plain
    }

    /// The family's name, which is the first level of its topics.
    package var family: String
    /// The device's name in the manufacturer's spelling.
    package var title: String
    /// The manufacturer, for devices that do not report it; nil if unknown.
    package var manufacturer: String?
    /// The source of the facts in the file, such as the maker's documentation.
    package var source: String
    /// The manufacturer and the model that the file declares for its devices.
    package var info = DeviceInfo()
    /// The name of the group that contains all devices of the family.
    package var plural: String
    /// The default naming of devices.
    package var naming: Naming
    /// The conditions by which devices are recognized. One condition must match.
    package var matches: [DeviceMatch]
    /// Whether devices may join during a `permit_join` that names neither their family nor their address.
    package var joining: Joining
    package var bonding: LinkRequirements.Bonding
    /// Whether notifications must arrive as D-Bus signals of bluetoothd, not through a socket (`AcquireNotify`).
    package var needsSignals: Bool
    package var connecting: Connecting
    /// Whether devices may be connected over a Bluetooth proxy.
    package var mayUseProxy = false
    /// The time without an advertisement after which a device that is never connected is offline; nil for never.
    package var silence: Duration? = .seconds(3600)
    /// How the bridge visits the device; nil if it does not.
    package var visit: VisitEntry?
    /// The settings that the configuration may contain for devices of the family.
    package var settings: [DeviceSetting]
    /// The characteristics that the file uses.
    package var characteristics: [CharacteristicEntry]
    /// The steps that are executed on a new connection, in order.
    package var setup: [SetupStep]
    /// The actions that are repeated while the device is connected.
    package var every: [Repetition]
    /// The last writes before the bridge disconnects the device cleanly.
    package var goodbye: [WriteStep]
    /// The writes that the guardian makes if the bridge process dies.
    package var will: [WriteStep]
    package var stop: [WriteStep]
    /// The features in the order in which the file declares them.
    package var features: [FeatureEntry]
    /// The playback of haptic patterns; nil for a device that cannot vibrate.
    package var haptic: HapticEntry?
    package var examples: [ExampleEntry]

    /// Creates a file that contains only the required values.
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

    package var isHazardous: Bool { features.contains { $0.command?.isHazardous ?? false } }
}

/// A characteristic and its short name.
package struct CharacteristicEntry: Hashable, Sendable {
    /// How the bytes of a characteristic are assembled to lines of text.
    package struct Lines: Hashable, Sendable {
        /// The bytes that end a line; nil if only a pause ends a line.
        package var end: [UInt8]?
        /// The pause that ends a line if the device sends no line end.
        package var idle: Duration?
        /// The lines that are ignored (key `ignore`), in addition to empty lines.
        package var ignored: [String]

        /// The maximum length of a line in bytes; a longer line is dropped.
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
    /// The characteristics that other models have in place of ``id``. The first characteristic that a device has is
    /// used.
    package var alternatives: [CharacteristicID] = []
    package var isOptional: Bool
    /// The conversion of the bytes to lines of text; nil for a characteristic that sends packets.
    package var lines: Lines?
    /// The advertised data that takes the place of a characteristic; nil for a characteristic.
    package var advertised: AdvertisedData?

    /// All characteristics that the entry may stand for, the preferred one first.
    package var ids: [CharacteristicID] { [id] + alternatives }

    package init(_ name: String, _ id: CharacteristicID, isOptional: Bool = false, lines: Lines? = nil) {
        self.name = name
        self.id = id
        self.isOptional = isOptional
        self.lines = lines
    }
}

/// Data in the advertisements of a device.
package struct AdvertisedData: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case service(UUID)
        case manufacturer(UInt16)
    }

    package var kind: Kind
    /// The first bytes of the data; nil for any data. Data of the same kind with other first bytes is ignored.
    package var start: BytePattern?
    /// The setting that contains the key of encrypted data in the format BTHome 2; nil for data without encryption.
    package var bthomeKey: String?

    package init(_ kind: Kind, start: BytePattern? = nil, bthomeKey: String? = nil) {
        self.kind = kind
        self.start = start
        self.bthomeKey = bthomeKey
    }

    /// Returns the data of this kind in an advertisement; nil if there is none, or if the data does not start with
    /// ``start``.
    func bytes(in broadcast: Broadcast) -> [UInt8]? {
        let bytes =
            switch kind {
            case .service(let service): broadcast.serviceData[service]
            case .manufacturer(let company): broadcast.manufacturerData[company]
            }
        guard let bytes, start?.isPrefix(of: bytes) ?? true else { return nil }
        return bytes
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
