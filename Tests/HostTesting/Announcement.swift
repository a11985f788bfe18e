public import JSON

/// Reads a discovery message like Home Assistant, which first replaces the short keys by the full ones.
///
/// The keys are those of Home Assistant 2026.11 (homeassistant/components/mqtt/abbreviations.py) that occur here; in
/// `Tests/HomeAssistant` Home Assistant itself reads the messages.
public enum Announcement {
    /// The full keys, by the short ones, of a message, its components and their lists of topics.
    public static let general = [
        "atype": "automation_type", "avty": "availability", "avty_mode": "availability_mode",
        "b_tpl": "blue_template", "bri_tpl": "brightness_template", "clr_temp_k": "color_temp_kelvin",
        "clr_temp_tpl": "color_temp_template", "cmd_off_tpl": "command_off_template",
        "cmd_on_tpl": "command_on_template",
        "cmd_t": "command_topic", "cmd_tpl": "command_template", "cmps": "components", "dev": "device",
        "def_ent_id": "default_entity_id", "dev_cla": "device_class", "en": "enabled_by_default",
        "ent_cat": "entity_category",
        "evt_typ": "event_types", "fx_list": "effect_list", "fx_tpl": "effect_template",
        "g_tpl": "green_template",
        "ic": "icon", "max_k": "max_kelvin", "min_k": "min_kelvin", "o": "origin", "ops": "options",
        "p": "platform", "pl": "payload", "pl_cls": "payload_close", "pl_off": "payload_off",
        "pl_on": "payload_on", "pl_open": "payload_open", "pl_prs": "payload_press", "r_tpl": "red_template",
        "stat_cla": "state_class", "stat_clsd": "state_closed", "stat_off": "state_off",
        "stat_on": "state_on",
        "stat_open": "state_open", "stat_t": "state_topic", "stat_tpl": "state_template",
        "stype": "subtype", "sug_dsp_prc": "suggested_display_precision", "t": "topic",
        "uniq_id": "unique_id", "unit_of_meas": "unit_of_measurement",
        "val_tpl": "value_template",
    ]
    /// The keys of the device.
    public static let device = [
        "cns": "connections", "cu": "configuration_url", "hw": "hw_version", "ids": "identifiers",
        "mdl": "model", "mdl_id": "model_id", "mf": "manufacturer", "sa": "suggested_area",
        "sn": "serial_number", "sw": "sw_version",
    ]
    /// The keys of the origin.
    public static let origin = ["sw": "sw_version", "url": "support_url"]

    /// Returns a message with the full keys, in the same order.
    public static func read(_ message: JSON.Object) -> JSON.Object {
        var message = expand(message, general)
        message["device"] = message["device"].map { expand($0, device) }
        message["origin"] = message["origin"].map { expand($0, origin) }
        guard let components = message["components"]?.object else { return message }
        message["components"] = .object(
            JSON.Object(components.members.map { ($0.key, .object(expand($0.value.object ?? [:], general))) })
        )
        return message
    }

    /// Returns the keys of a published message that have a shorter form, with their positions.
    public static func longKeys(_ message: JSON.Object) -> [String] {
        func long(_ keys: [String], _ names: [String: String], _ place: String) -> [String] {
            keys.filter(Set(names.values).contains).map { "\(place)\($0)" }
        }
        let read = read(message)
        var found = long(message.keys, general, "")
        for (key, names) in [("dev", device), ("o", origin)] {
            found += long(message[key]?.object?.keys ?? [], names, "\(key).")
        }
        for component in message["cmps"]?.object?.members ?? [] {
            found += long(component.value.object?.keys ?? [], general, "\(component.key).")
        }
        return read["components"] == nil ? found + ["no components"] : found
    }

    private static func expand(_ value: JSON.Value, _ names: [String: String]) -> JSON.Value {
        .object(expand(value.object ?? [:], names))
    }

    private static func expand(_ object: JSON.Object, _ names: [String: String]) -> JSON.Object {
        JSON.Object(
            object.members.map { member in
                let key = names[member.key] ?? member.key
                guard key == "availability", let topics = member.value.array else {
                    return (key, member.value)
                }
                return (key, .array(topics.map { expand($0, names) }))
            })
    }
}

extension JSON.Value {
    /// The announcement as read by Home Assistant; nil for other messages.
    public var announcement: JSON.Value? { object.map { .object(Announcement.read($0)) } }
}
