/// What may differ between two plays of a scene, and between BlueZ and the look-alike, without being a difference.
/// Each rule says why.
enum BusRules {
    static func normalised(_ lines: [String]) -> [String] {
        var result: [String] = []
        var step: [String] = []
        var isStartedAnew = false
        for line in lines {
            guard var line = withoutChance(line) else { continue }
            isStartedAnew = isStartedAnew || line == "* start"
            // A bluetoothd that was started anew tells some of what it had remembered once more.
            if isStartedAnew, line.hasPrefix("dev "), line.contains("ServicesResolved=true") {
                line = "dev ServicesResolved=true"
            }
            if line.hasPrefix("> ") || line.hasPrefix("* ") {
                result += arranged(step)
                step = []
            }
            // It may find the link that the kernel still holds for the killed one, and then its end.
            let isRest = isStartedAnew && line == "dev Connected=false"
            if !isRest { step.append(line) }
        }
        return result + arranged(step)
    }

    /// A line without the properties that are a matter of chance; nil where nothing is left. What changes at about the
    /// same time comes in one signal, or in several.
    private static func withoutChance(_ line: String) -> String? {
        guard let chances = chances.first(where: { line.hasPrefix($0.object) })?.properties else {
            return line
        }
        let words = line.split(separator: " ")
        let rest = words.filter { word in !chances.contains { word.hasPrefix($0) } }
        if rest.count == 1, rest.count < words.count { return nil }
        // bluetoothd signals none where it sees the ATT channel before the kernel's word of the link (5.66,
        // src/device.c, att_connect_cb): one link in ten, more on a busy machine. The answer of Connect and
        // ServicesResolved tell the link too.
        return rest == ["dev", "Connected=true"] ? nil : rest.joined(separator: " ")
    }

    private static let chances: [(object: String, properties: [String])] = [
        // How often a device is heard, and how loud, is a matter of timing. The other is from the device information
        // of bluetoothd itself, where it plays the device.
        ("dev ", ["RSSI=", "Modalias="]),
        // Whether some program's pairing agent is there; the one that plays the device has one too.
        ("adapter ", ["Pairable="]),
    ]

    /// Puts what came of one step into an order that does not depend on chance.
    private static func arranged(_ step: [String]) -> [String] {
        var lines = step
        // What a bluetoothd finds that was started anew, such as a link that the kernel still holds, depends on how
        // fast that was. What it has at last is looked at.
        if step.first == "* start" {
            lines.removeAll { !$0.hasPrefix("* ") && !$0.hasPrefix("org.bluez") && !$0.hasPrefix("= ") }
        }
        // Now and then BlueZ says that the services are known before it shows them.
        if let place = lines.firstIndex(where: { $0.hasPrefix("dev ServicesResolved=true") }) {
            let late = lines[place...].filter(isService)
            lines = lines[..<place] + late + lines[place...].filter { !isService($0) }
        }
        // The battery plugin reads in its own time. And the look-alike's answer to a property that was set comes from
        // the bus library, when all is done: bluetoothd answers before it signals.
        func isLoose(_ line: String) -> Bool {
            line.contains("Battery1") || line.hasPrefix("< ") && line.contains(" Set(")
        }
        return lines.filter { !isLoose($0) } + lines.filter(isLoose).sorted()
    }

    private static func isService(_ line: String) -> Bool {
        ["+ service:", "+ char:", "+ desc:"].contains { line.hasPrefix($0) }
    }
}
