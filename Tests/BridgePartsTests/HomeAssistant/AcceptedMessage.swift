import JSON

/// The content that Home Assistant accepts in a device-based discovery message. This covers the keys that the bridge
/// may use, from its documentation (https://www.home-assistant.io/integrations/mqtt/ and the page of each platform).
/// It also covers the rules by which Home Assistant rejects a message or a component, or silently drops a key.
/// `Tests/HomeAssistant` checks with Home Assistant itself.
struct AcceptedMessage {
    /// The violations that were found.
    private(set) var complaints: [String] = []

    private static let top: Set<String> = [
        "availability", "availability_mode", "components", "device", "origin", "qos",
    ]
    private static let device: Set<String> = [
        "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "model_id",
        "name", "serial_number", "suggested_area", "sw_version", "via_device",
    ]
    private static let origin: Set<String> = ["name", "support_url", "sw_version"]

    /// The optional keys of every entity.
    private static let common: Set<String> = [
        "availability", "availability_mode", "default_entity_id", "enabled_by_default", "entity_category",
        "icon", "name", "platform", "qos", "unique_id",
    ]

    /// The additional optional keys and the required keys of each platform.
    private static let platforms: [String: (optional: Set<String>, required: Set<String>)] = [
        "sensor": (
            [
                "device_class", "options", "state_class", "suggested_display_precision",
                "unit_of_measurement", "value_template",
            ], ["state_topic"]
        ),
        "binary_sensor": (
            ["device_class", "payload_on", "payload_off", "value_template"], ["state_topic"]
        ),
        "number": (
            [
                "command_template", "device_class", "max", "min", "mode", "state_topic", "step",
                "unit_of_measurement", "value_template",
            ], ["command_topic"]
        ),
        "select": (["command_template", "state_topic", "value_template"], ["command_topic", "options"]),
        "switch": (
            [
                "command_template", "device_class", "payload_off", "payload_on", "state_off", "state_on",
                "state_topic", "value_template",
            ], ["command_topic"]
        ),
        "button": (["command_template", "device_class", "payload_press"], ["command_topic"]),
        "event": (["device_class", "value_template"], ["event_types", "state_topic"]),
        "notify": (["command_template"], ["command_topic"]),
        "light": (
            [
                "blue_template", "brightness_template", "color_temp_kelvin", "color_temp_template",
                "effect_list",
                "effect_template", "green_template", "max_kelvin", "min_kelvin", "red_template", "schema",
                "state_template", "state_topic",
            ], ["command_off_template", "command_on_template", "command_topic"]
        ),
        "valve": (
            [
                "device_class", "payload_close", "payload_open", "state_closed", "state_open", "state_topic",
                "value_template",
            ], ["command_topic"]
        ),
        "device_automation": (
            ["payload", "value_template"], ["automation_type", "subtype", "topic", "type"]
        ),
    ]

    /// The units that Home Assistant accepts for a device class of a sensor or a number.
    private static let units: [String: Set<String>] = [
        "battery": ["%"], "current": ["mA", "A"], "data_size": ["B", "kB", "MB", "GB"],
        "duration": ["ms", "s", "min", "h", "d"], "frequency": ["Hz", "kHz"],
        "signal_strength": ["dB", "dBm"], "voltage": ["mV", "V"],
    ]

    private static let binaryClasses: Set<String> = [
        "connectivity", "moving", "power", "problem", "running",
    ]

    init(_ message: JSON.Object) {
        check(message.keys, in: Self.top, at: "the top")
        for key in ["components", "device", "origin"] where message[key]?.object == nil {
            complaints.append("\(key) is missing")
        }
        check(message["device"]?.object?.keys ?? [], in: Self.device, at: "device")
        if (message["device"]?["identifiers"]?.array ?? []).isEmpty { complaints.append("no identifiers") }
        check(message["origin"]?.object?.keys ?? [], in: Self.origin, at: "origin")
        if message["origin"]?["name"]?.string == nil { complaints.append("the origin has no name") }
        var ids: Set<String> = []
        for member in message["components"]?.object?.members ?? [] {
            check(
                member.value.object ?? JSON.Object(), member.key,
                deviceName: message["device"]?["name"]?.string)
            guard let id = member.value["unique_id"]?.string else { continue }
            if !ids.insert(id).inserted { complaints.append("\(member.key): \(id) is used twice") }
        }
    }

    private mutating func check(_ keys: [String], in known: Set<String>, at place: String) {
        for key in keys where !known.contains(key) { complaints.append("\(key) is not known at \(place)") }
    }

    private mutating func check(_ component: JSON.Object, _ name: String, deviceName: String?) {
        guard let platform = component["platform"]?.string, let keys = Self.platforms[platform] else {
            return complaints.append("\(name): no known platform")
        }
        // A component with only its platform is removed.
        guard component.count > 1 else { return }
        let isEntity = platform != "device_automation"
        check(
            component.keys,
            in: keys.optional.union(keys.required).union(isEntity ? Self.common : ["platform", "qos"]),
            at: "\(name) (\(platform))")
        for key in keys.required where component[key] == nil {
            complaints.append("\(name): \(key) is missing")
        }
        for member in component.members where member.value == .null && member.key != "name" {
            complaints.append("\(name): \(member.key) is null")
        }
        if let topic = component["command_topic"]?.string, topic.contains("+") || topic.contains("#") {
            complaints.append("\(name): a wildcard in \(topic)")
        }
        if isEntity { checkEntity(component, name, platform, deviceName: deviceName) }
    }

    private mutating func checkEntity(
        _ component: JSON.Object, _ name: String, _ platform: String, deviceName: String?
    ) {
        if component["unique_id"]?.string == nil { complaints.append("\(name): no unique_id") }
        if let title = component["name"]?.string, let deviceName,
            title.lowercased().hasPrefix(deviceName.lowercased())
        {
            complaints.append("\(name): \(title) repeats the name of the device")
        }
        let isReadOnly = platform == "sensor" || platform == "binary_sensor"
        if isReadOnly, component["entity_category"] == "config" {
            complaints.append("\(name): config is no category of a \(platform)")
        }
        let (kind, unit) = (component["device_class"]?.string, component["unit_of_measurement"]?.string)
        if let kind, ["sensor", "number"].contains(platform), kind != "enum", kind != "timestamp",
            !(Self.units[kind]?.contains(unit ?? "") ?? false)
        {
            complaints.append("\(name): \(unit ?? "no unit") does not fit \(kind)")
        }
        if let kind, platform == "binary_sensor", !Self.binaryClasses.contains(kind) {
            complaints.append("\(name): no device class \(kind)")
        }
        if platform == "sensor", component["options"] != nil, kind != "enum" || unit != nil {
            complaints.append("\(name): options are for enum only")
        }
        if component["state_class"] == "measurement_angle", unit != "°" {
            complaints.append("\(name): measurement_angle needs degrees")
        }
        if let icon = component["icon"]?.string, !icon.contains(":") {
            complaints.append("\(name): \(icon) is no icon")
        }
    }
}
