import DeviceKit

extension FileReader {
    /// What is acknowledged is read like what the device says, so it must be written there.
    func checkEcho(_ feature: FeatureEntry, _ members: Members) {
        guard let command = feature.command, command.echoes, let report = feature.report else { return }
        let written = Set(command.steps.map(\.characteristic))
        let names = report.sources.map { file.characteristics[$0.characteristic].name }
        if members["line"] != nil || report.kind == .event {
            let found = members["line"] != nil ? "line" : "kind: event"
            members["echo"]?.complain(
                "found echo beside \(found); allowed: beside packets of a state or a stream, or without from")
        } else if !report.sources.contains(where: { written.contains($0.characteristic) }) {
            members["echo"]?.complain(
                "found echo, but nothing is written to \(names.joined(separator: " ")); allowed: a write to it"
            )
        }
    }
}
