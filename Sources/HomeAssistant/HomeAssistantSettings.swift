/// What the configuration says of Home Assistant.
public struct HomeAssistantSettings: Hashable, Sendable {
    /// The topic under which it looks for devices.
    public var prefix: String
    /// Whether it may set robots in motion, not only stop them.
    public var hasDriveEntities: Bool
    /// The haptic pattern that stands for a message which is no pattern's name.
    public var messagePattern: String

    /// Makes settings; what is not given is as an empty configuration has it.
    public init(
        prefix: String = "homeassistant", hasDriveEntities: Bool = false, messagePattern: String = "normal"
    ) {
        self.prefix = prefix
        self.hasDriveEntities = hasDriveEntities
        self.messagePattern = messagePattern
    }

    /// Where it says that it has started; by default it says `online` there, not retained.
    package var statusTopic: String { "\(prefix)/status" }
}

/// How a device looks to a person at home, as the configuration says.
public struct Appearance: Hashable, Sendable {
    /// Its name; nil for the one that its topics have.
    public var displayName: String?
    /// The room that it belongs to.
    public var area: String?
    /// The picture of what people use on it: `mdi:run`.
    public var icon: String?

    /// Makes an appearance; what is not given is left to the program that shows the device.
    public init(displayName: String? = nil, area: String? = nil, icon: String? = nil) {
        self.displayName = displayName
        self.area = area
        self.icon = icon
    }
}
