package import JSON

extension HomeAssistant {
    /// The abbreviated keys of discovery messages that announcements use
    /// (https://www.home-assistant.io/integrations/mqtt/#supported-abbreviations-in-mqtt-discovery-messages).
    enum Abbreviations {
        private static let general = [
            "automation_type": "atype", "availability": "avty", "availability_mode": "avty_mode",
            "blue_template": "b_tpl", "brightness_template": "bri_tpl", "color_temp_kelvin": "clr_temp_k",
            "color_temp_template": "clr_temp_tpl", "command_off_template": "cmd_off_tpl",
            "command_on_template": "cmd_on_tpl",
            "command_template": "cmd_tpl", "command_topic": "cmd_t", "components": "cmps", "device": "dev",
            "default_entity_id": "def_ent_id", "device_class": "dev_cla", "enabled_by_default": "en",
            "effect_list": "fx_list", "effect_template": "fx_tpl", "entity_category": "ent_cat",
            "event_types": "evt_typ", "green_template": "g_tpl", "icon": "ic", "max_kelvin": "max_k",
            "min_kelvin": "min_k", "options": "ops", "origin": "o", "payload": "pl",
            "payload_close": "pl_cls", "payload_off": "pl_off", "payload_on": "pl_on",
            "payload_open": "pl_open", "payload_press": "pl_prs", "platform": "p", "red_template": "r_tpl",
            "state_class": "stat_cla", "state_closed": "stat_clsd", "state_off": "stat_off",
            "state_on": "stat_on", "state_open": "stat_open", "state_template": "stat_tpl",
            "state_topic": "stat_t", "subtype": "stype", "suggested_display_precision": "sug_dsp_prc",
            "topic": "t", "unique_id": "uniq_id",
            "unit_of_measurement": "unit_of_meas", "value_template": "val_tpl",
        ]
        private static let device = [
            "connections": "cns", "hw_version": "hw", "identifiers": "ids", "manufacturer": "mf",
            "model": "mdl", "serial_number": "sn", "suggested_area": "sa", "sw_version": "sw",
        ]
        private static let origin = ["sw_version": "sw"]

        /// Returns a message with abbreviated keys, in the same order.
        static func shorten(_ message: JSON.Object) -> JSON.Object {
            JSON.Object(
                message.members.map { member in
                    let value: JSON.Value =
                        switch member.key {
                        case "device": .object(renamed(member.value, device))
                        case "origin": .object(renamed(member.value, origin))
                        case "components":
                            .object(JSON.Object(members(member.value).map { ($0.key, shorten($0.value)) }))
                        default: shortenList(member)
                        }
                    return (general[member.key] ?? member.key, value)
                })
        }

        /// Shortens a component of a message. Components use the same abbreviations as the message.
        private static func shorten(_ component: JSON.Value) -> JSON.Value {
            .object(
                JSON.Object(
                    members(component).map { (general[$0.key] ?? $0.key, shortenList($0)) }))
        }

        private static func shortenList(_ member: JSON.Object.Member) -> JSON.Value {
            guard member.key == "availability", let topics = member.value.array else { return member.value }
            return .array(topics.map { .object(renamed($0, general)) })
        }

        private static func renamed(_ value: JSON.Value, _ names: [String: String]) -> JSON.Object {
            JSON.Object(members(value).map { (names[$0.key] ?? $0.key, $0.value) })
        }

        private static func members(_ value: JSON.Value) -> [JSON.Object.Member] {
            value.object?.members ?? []
        }
    }
}

extension HomeAssistant {
    /// Returns a message, or some members of a message, with abbreviated keys.
    package static func shortened(_ message: JSON.Object) -> JSON.Object { Abbreviations.shorten(message) }
}

extension HomeAssistant.Announcement {
    /// The published message, with abbreviated keys.
    package var published: JSON.Object { HomeAssistant.shortened(message) }
}
