import DeviceKit

extension HomeAssistant {
    /// Home Assistant's device classes, state classes and units.
    enum DeviceClass {
        /// The unit in Home Assistant's notation.
        static func unit(_ unit: String?) -> String? { unit == "degrees" ? "°" : unit }

        /// The device class of a sensor: the class for the declared meaning, otherwise the class that the unit implies.
        static func sensor(_ meaning: Presentation.Meaning?, unit: String?) -> String? {
            switch meaning {
            case .battery: return "battery"
            case .memory: return "data_size"
            case .connectivity, .moving, .power, .problem, .running, .button, nil: break
            }
            switch unit {
            case "s", "ms", "min", "h": return "duration"
            case "mA", "A": return "current"
            case "mV", "V": return "voltage"
            case "dB", "dBm": return "signal_strength"
            case "Hz": return "frequency"
            default: return nil
            }
        }

        /// The state class of a sensor, by which Home Assistant selects its statistics: a sum for counters, a mean for
        /// other numbers. If a counter decreases, Home Assistant assumes that it has restarted.
        static func stateClass(_ deviceClass: String?, unit: String?) -> String {
            switch deviceClass {
            case "energy", "gas", "reactive_energy", "volume", "water": "total_increasing"
            case "monetary": "total"
            case "wind_direction": "measurement_angle"
            default: unit == "°" ? "measurement_angle" : "measurement"
            }
        }

        /// The device class of a binary sensor.
        static func binary(_ meaning: Presentation.Meaning?) -> String? {
            switch meaning {
            case .connectivity: "connectivity"
            case .moving: "moving"
            case .power: "power"
            case .problem: "problem"
            case .running: "running"
            case .battery, .button, .memory, nil: nil
            }
        }

        /// The device class of an event; nil if the declared class is not a class of events.
        static func event(_ presentation: Presentation) -> String? {
            if presentation.meaning == .button { return "button" }
            return presentation.deviceClass.flatMap {
                ["button", "doorbell", "motion"].contains($0) ? $0 : nil
            }
        }
    }
}
