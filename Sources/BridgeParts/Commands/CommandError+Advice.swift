import BridgeContract
package import DeviceKit
import JSON

// Suggestions in error messages: the name that was probably meant, and a command line to copy.
extension CommandError {
    /// The maximum number of names that are compared with an unknown name.
    private static let comparisons = 500

    /// Returns an error for an unknown name, with the most similar name and all allowed names.
    package static func unknown(_ code: Code, _ name: String, among known: [String]) -> CommandError {
        let allowed = known.isEmpty ? "none" : known.joined(separator: " ")
        let near = Nearest.word(to: name, among: known.prefix(comparisons))
        return CommandError(
            code,
            near.map { "\(name): did you mean \($0)? Allowed: \(allowed)" }
                ?? "\(name): not known here; allowed: \(allowed)")
    }

    /// Returns an error for an unknown command of a device or a group.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - name: The name of the device or the group.
    ///   - known: The names of its commands.
    ///   - isReport: Whether the feature exists and is read-only.
    package static func unknownFeature(
        _ request: CommandRequest, of name: String, among known: [String], isReport: Bool = false
    ) -> CommandError {
        if request.feature == Topics.noFeature { return noFeature(request, name, known) }
        guard !isReport else {
            return CommandError(
                .unknownFeature,
                "\(request.feature): read-only; allowed: "
                    + (known.isEmpty
                        ? "nothing, as \(name) accepts no commands" : known.joined(separator: " ")))
        }
        return unknown(.unknownFeature, request.feature, among: known)
    }

    private static func noFeature(
        _ request: CommandRequest, _ name: String, _ known: [String]
    ) -> CommandError {
        let place = request.topic.dropLast(Topics.noFeature.utf8.count)
        let allowed = known.joined(separator: " ")
        // Other bridge programs accept one object for all features of a device, so a sender may try this here.
        let keys = (try? JSON.Value(parsing: request.payload, maximumDepth: 16))?.object?.keys ?? []
        guard let meant = keys.first(where: { known.contains($0) }) else {
            return CommandError(
                .unknownFeature,
                "\(name)/set names no feature: send to \(place)<feature>/set; allowed: \(allowed)")
        }
        return CommandError(
            .unknownFeature,
            "\(name)/set names no feature: did you mean \(place)\(meant)/set? Allowed: \(allowed)")
    }

    /// Adds an example command line to the error if the payload does not match the declaration.
    package func showing(_ command: Command, on topic: String) -> CommandError {
        switch code {
        case .invalidPayload, .missingField, .invalidValue:
            guard let line = command.suggestedLine(topic: topic) else { return self }
            return CommandError(code, "\(message); for example: \(line)", reason: reason)
        default: return self
        }
    }

    /// Adds a command line that stops the device, for a sender who tried to switch something off.
    package func showing(_ stop: String, for request: CommandRequest) -> CommandError {
        let end = "\(request.feature)/set"
        guard request.topic.hasSuffix(end) else { return self }
        let topic = request.topic.dropLast(end.utf8.count) + "\(stop)/set"
        return CommandError(
            code, "\(message); to stop the device: mosquitto_pub -t \(topic) -n", reason: reason)
    }
}
