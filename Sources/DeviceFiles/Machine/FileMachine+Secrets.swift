import DeviceKit
import JSON

// Secrets are kept out of answers and of the log.
extension FileMachine {
    /// Returns a text of the device without the values of secret settings, because a device may send back what it
    /// receives.
    func withoutSecrets(_ text: String) -> String {
        file.settings.filter(\.isSecret).reduce(text) { text, setting in
            guard let value = settings[setting.field.name], value != .null else { return text }
            let secret = value.string ?? value.description
            return secret.isEmpty ? text : text.replacing(secret, with: "(hidden)")
        }
    }

    /// Whether a write contains a secret setting.
    func isSecret(_ step: WriteStep) -> Bool {
        guard case .text(let template) = step.content else { return false }
        let names = template.settings
        return file.settings.contains { $0.isSecret && names.contains($0.field.name) }
    }
}
