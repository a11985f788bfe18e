/// The Home Assistant section of the configuration.
public struct HomeAssistantSettings: Hashable, Sendable {
    /// The discovery prefix: the topic under which Home Assistant discovers devices.
    public var prefix: String
    /// Whether Home Assistant gets entities that set robots in motion, in addition to entities that stop them.
    public var hasDriveEntities: Bool
    /// The haptic pattern for a message that is not the name of a pattern.
    public var messagePattern: String

    /// Creates settings with the defaults of an empty configuration.
    public init(
        prefix: String = "homeassistant", hasDriveEntities: Bool = false, messagePattern: String = "normal"
    ) {
        self.prefix = prefix
        self.hasDriveEntities = hasDriveEntities
        self.messagePattern = messagePattern
    }

    /// The topic on which Home Assistant publishes its status. At startup, it publishes `online`, by default not
    /// retained.
    package var statusTopic: String { "\(prefix)/status" }
}

/// The configured presentation of a device.
public struct Appearance: Hashable, Sendable {
    /// The displayed name; nil for the name in the topics.
    public var displayName: String?
    /// The room or area in which the device is.
    public var area: String?
    /// The icon of the main entities: `mdi:run`.
    public var icon: String?

    /// Creates an appearance. The program that displays the device chooses absent values.
    public init(displayName: String? = nil, area: String? = nil, icon: String? = nil) {
        self.displayName = displayName
        self.area = area
        self.icon = icon
    }
}
