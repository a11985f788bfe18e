import DeviceKit

extension String {
    /// Adds the option `--config` to each command in this text, if the command reads a configuration.
    ///
    /// - Parameter file: The value of the option; nil for no option.
    package func keeping(configuration file: String?) -> String {
        guard let file else { return self }
        return replacing(
            /tactile-bridge (?:acl|check-config|doctor|devices|probe|scan|topics)\b(?! --template)/
        ) { "\($0.output) --config \(ShellWord.quoted(file))" }
    }
}
