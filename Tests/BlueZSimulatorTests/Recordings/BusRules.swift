/// Rules for acceptable differences between two runs of a scene, and between BlueZ and the simulator. Each rule states
/// its reason.
enum BusRules {
    static func normalised(_ lines: [String]) -> [String] {
        var result: [String] = []
        var step: [String] = []
        var isStartedAnew = false
        for line in lines {
            guard var line = withoutChance(line) else { continue }
            isStartedAnew = isStartedAnew || line == "* start"
            // A restarted bluetoothd repeats some of the stored properties.
            if isStartedAnew, line.hasPrefix("dev "), line.contains("ServicesResolved=true") {
                line = "dev ServicesResolved=true"
            }
            if line.hasPrefix("> ") || line.hasPrefix("* ") {
                result += arranged(step)
                step = []
            }
            // It may find the connection that the kernel has kept for the killed process, and then its end.
            let isRest = isStartedAnew && line == "dev Connected=false"
            if !isRest { step.append(line) }
        }
        return result + arranged(step)
    }

    /// A line without properties that depend on timing; nil if nothing is left. Simultaneous changes are sent in one
    /// signal or in several.
    private static func withoutChance(_ line: String) -> String? {
        guard let chances = chances.first(where: { line.hasPrefix($0.object) })?.properties else {
            return line
        }
        let words = line.split(separator: " ")
        let rest = words.filter { word in !chances.contains { word.hasPrefix($0) } }
        if rest.count == 1, rest.count < words.count { return nil }
        // bluetoothd emits no signal if it detects the ATT channel before the kernel's report of the connection (5.66,
        // src/device.c, att_connect_cb). This happens for one connection in ten, more often on a busy machine. The
        // answer of Connect and ServicesResolved also show the connection.
        return rest == ["dev", "Connected=true"] ? nil : rest.joined(separator: " ")
    }

    private static let chances: [(object: String, properties: [String])] = [
        // The number of received advertisements and their signal strength depend on timing. The other property is from
        // bluetoothd's own device information, when bluetoothd serves the device.
        ("dev ", ["RSSI=", "Modalias="]),
        // It depends on whether any program has registered a pairing agent. The program that serves the device
        // registers an agent, too.
        ("adapter ", ["Pairable="]),
    ]

    /// Sorts the lines of one step into an order that does not depend on timing.
    private static func arranged(_ step: [String]) -> [String] {
        var lines = step
        // The objects that a restarted bluetoothd finds, such as a connection that the kernel has kept, depend on the
        // speed of the restart. Only the final state is compared.
        if step.first == "* start" {
            lines.removeAll { !$0.hasPrefix("* ") && !$0.hasPrefix("org.bluez") && !$0.hasPrefix("= ") }
        }
        // In some cases, BlueZ reports resolved services before it adds them.
        if let place = lines.firstIndex(where: { $0.hasPrefix("dev ServicesResolved=true") }) {
            let late = lines[place...].filter(isService)
            lines = lines[..<place] + late + lines[place...].filter { !isService($0) }
        }
        // The battery plugin reads at its own pace. The simulator's answer to a property change is sent by the bus
        // library at the end, while bluetoothd answers before it signals.
        func isLoose(_ line: String) -> Bool {
            line.contains("Battery1") || line.hasPrefix("< ") && line.contains(" Set(")
        }
        return lines.filter { !isLoose($0) } + lines.filter(isLoose).sorted()
    }

    private static func isService(_ line: String) -> Bool {
        ["+ service:", "+ char:", "+ desc:"].contains { line.hasPrefix($0) }
    }
}
