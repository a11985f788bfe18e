import DeviceKit
import JSON

extension HomeAssistant.Component {
    /// Returns a sensor, or a binary sensor for a Boolean and for a pair of words with a meaning.
    static func reading(
        _ field: String?, _ presentation: Presentation, _ feature: Feature, _ subject: HomeAssistant.Subject
    ) -> (String, JSON.Object)? {
        guard let value = HomeAssistant.Reported(feature, field) else { return nil }
        var details: JSON.Object = ["state_topic": .string(subject.place(feature.name).report)]
        let words = presentation.deviceClass ?? HomeAssistant.DeviceClass.binary(presentation.meaning)
        if case .boolean = value.type {
            details["value_template"] = value.template.map { .string($0) }
            details["payload_on"] = .string(value.truth.on)
            details["payload_off"] = .string(value.truth.off)
            details["device_class"] = words.map { .string($0) }
            return ("binary_sensor", details)
        }
        if case .choice(let choices) = value.type, choices.count == 2,
            presentation.isBinary || presentation.deviceClass == nil && words != nil
        {
            details["value_template"] = value.template.map { .string($0) }
            details["payload_on"] = .string(choices[0])
            details["payload_off"] = .string(choices[1])
            details["device_class"] = words.map { .string($0) }
            return ("binary_sensor", details)
        }
        details["value_template"] = value.sensorTemplate.map { .string($0) }
        switch value.type {
        case .choice(let choices):
            details["device_class"] = "enum"
            let nothing = HomeAssistant.Reported.nothing
            let words = value.showsNothing && !choices.contains(nothing) ? choices + [nothing] : choices
            details["options"] = .array(words.map { .string($0) })
        case .time: details["device_class"] = "timestamp"
        case .integer, .number, .angle:
            var unit = HomeAssistant.DeviceClass.unit(value.unit)
            if value.isLongTime {
                unit = "h"
                details["value_template"] = .string(value.hours)
                details["suggested_display_precision"] = 1
            }
            let deviceClass =
                presentation.deviceClass
                ?? HomeAssistant.DeviceClass.sensor(presentation.meaning, unit: unit)
            details["device_class"] = deviceClass.map { .string($0) }
            details["unit_of_measurement"] = unit.map { .string($0) }
            details["state_class"] = .string(
                HomeAssistant.DeviceClass.stateClass(deviceClass, unit: unit))
        default: break
        }
        return ("sensor", details)
    }
}
