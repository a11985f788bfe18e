import BridgeContract
import DeviceKit
import HomeAssistant
import JSON

extension DiscoveryReference.Entry {
    init(_ place: String, _ feature: Feature, _ announcement: HomeAssistant.Announcement?) {
        let isRequest = place.hasPrefix("bridge/") && feature.report == nil
        topic = isRequest ? "\(place)/request/\(feature.name)" : "\(place)/\(feature.name)"
        let members = announcement?.components.members ?? []
        let own = members.filter { announcement?.features[$0.key] == feature.name }.map(\.value)
        let triggers = own.filter { $0["platform"] == "device_automation" }
        entities = own.filter { $0["unique_id"] != nil }.map(Self.describe)
        if !triggers.isEmpty {
            let words = triggers.compactMap { $0["subtype"]?.string }
            let verb = triggers[0]["type"]?.string ?? ""
            let shown = words.count > 8 ? "\(words.count) of them" : words.joined(separator: ", ")
            entities.append("device triggers \(verb): \(shown)")
        }
    }

    /// Returns an entity in words: `sensor Battery (%)`.
    private static func describe(_ component: JSON.Value) -> String {
        let platform = (component["platform"]?.string ?? "").replacing("_", with: " ")
        var notes: [String] = []
        if let unit = component["unit_of_measurement"]?.string { notes.append(unit) }
        if let types = component["event_types"]?.array {
            notes.append(types.count == 1 ? "1 type" : "\(types.count) types")
        }
        if component["enabled_by_default"] == false { notes.append("disabled by default") }
        let name = component["name"]?.string ?? ""
        return "\(platform) \(name)" + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

extension DiscoveryReference {
    private static let nothing = "-"

    /// The reference for terminals: one paragraph for each topic.
    package var text: String {
        sections.map { section in
            let head = [section.title, String(repeating: "=", count: section.title.count)]
            let entries = section.entries.flatMap { entry in
                ["", entry.topic]
                    + (entry.entities.isEmpty ? [Self.nothing] : entry.entities).map { "    \($0)" }
            }
            return (head + entries).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The reference in Markdown: one table for each section.
    package var markdown: String {
        sections.map { section in
            let head = ["## \(section.title)", "", "| topic | in Home Assistant |", "| --- | --- |"]
            let rows = section.entries.map { entry in
                "| `\(entry.topic)` | \(entry.entities.isEmpty ? Self.nothing : entry.entities.joined(separator: "<br>")) |"
            }
            return (head + rows).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
