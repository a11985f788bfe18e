import DeviceFiles
import DeviceKit
import JSON

extension VirtualFileDevice {
    /// Executes a live line: `notify NAME HEX`, `notify NAME text…`, or a feature and its value as JSON.
    mutating func act(_ words: [String], _ reactions: inout [Reaction]) {
        do {
            let entry = try notification(words)
            notify(entry.characteristic, entry.value, &reactions)
        } catch {
            reactions.append(.misunderstood(error.message))
        }
    }

    private struct Misunderstood: Error {
        var message: String
    }

    private func notification(_ words: [String]) throws(Misunderstood) -> Choices.Notification {
        guard let first = words.first, words.count > 1 else { throw misunderstood(words) }
        if first == "notify" || first == "advertise" {
            guard words.count > 2, let index = file.characteristics.firstIndex(where: { $0.name == words[1] })
            else {
                throw misunderstood(words)
            }
            let text = words[2...].joined(separator: " ")
            guard let value = file.value(text, of: index) else {
                throw Misunderstood(
                    message:
                        "'\(text)' is not a list of bytes; expected pairs of hexadecimal digits such as 01ff")
            }
            return Choices.Notification(characteristic: index, value: value)
        }
        guard let report = file.features.first(where: { $0.name == first })?.report else {
            throw misunderstood(words)
        }
        let text = words[1...].joined(separator: " ")
        guard let value = try? JSON.Value(parsing: Array(text.utf8)) else {
            throw Misunderstood(
                message: "'\(text)' is not JSON; expected an object such as {\"level\":40}, or a plain value")
        }
        for source in report.sources {
            guard case .packet(let packet) = source.form else { continue }
            do {
                let object =
                    value.object ?? report.fields.first.map { [$0.field.name: value] } ?? JSON.Object()
                return Choices.Notification(
                    characteristic: source.characteristic, value: try packet.write(object).bytes)
            } catch {
                throw Misunderstood(message: "\(first): \(error.message)")
            }
        }
        throw Misunderstood(
            message:
                "no packet of \(first) can be built from values; type 'notify NAME HEX' or 'notify NAME text'"
        )
    }

    private func misunderstood(_ words: [String]) -> Misunderstood {
        let names = file.characteristics.indices.filter {
            file.notifies($0) || file.reads($0) || file.characteristics[$0].advertised != nil
        }.map { file.characteristics[$0].name }
        let features = file.features.filter { $0.report != nil }.map(\.name)
        return Misunderstood(
            message:
                "'\(words.joined(separator: " "))' is not understood; a \(file.family) accepts: notify "
                + "\(names.joined(separator: "|")) HEX, or a feature and its value: \(features.joined(separator: " "))"
        )
    }
}
