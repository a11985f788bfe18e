import DeviceKit

extension String {
    /// The text with the option `--config` behind the commands in it that read a configuration.
    ///
    /// - Parameter file: What the option names; nil for a command that was typed without it.
    package func keeping(configuration file: String?) -> String {
        guard let file else { return self }
        return replacing(
            /tactile-bridge (?:acl|check-config|doctor|devices|probe|scan|topics)\b(?! --template)/
        ) { "\($0.output) --config \(ShellWord.quoted(file))" }
    }
}
