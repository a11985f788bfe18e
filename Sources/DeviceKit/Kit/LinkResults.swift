public import Bluetooth

extension Answer {
    /// What a write's completion means for the command behind it.
    public init(_ result: WriteResult) {
        switch result {
        case .success: self = .ok
        case .failure(let error): self = .failed(CommandError(error))
        }
    }

    /// The answer to a command whose device or link went away before it came to its end.
    ///
    /// - Parameter device: What the device is called in a sentence: `belt`.
    public static func linkLost(_ device: String) -> Answer {
        .failed(.deviceOffline, "the link to the \(device) was lost")
    }
}

extension CommandError {
    /// The arguments are not as they were declared, which cannot come from a user.
    public static let unreadable = CommandError(.internal, "the arguments do not fit their declaration")

    /// The device is away.
    ///
    /// - Parameter device: What the device is called in a sentence: `belt`.
    public static func notConnected(_ device: String) -> CommandError {
        CommandError(.deviceOffline, "the \(device) is not connected")
    }
}

extension LinkProfile {
    /// The first of some characteristics that is not there; nil if all are.
    public func missing(of required: [CharacteristicID]) -> CharacteristicID? {
        required.first { !has($0) }
    }

    /// Whether the characteristic can be read.
    public func canRead(_ characteristic: CharacteristicID) -> Bool {
        characteristics[characteristic]?.contains(.read) ?? false
    }

    /// Whether the characteristic can notify.
    public func canNotify(_ characteristic: CharacteristicID) -> Bool {
        characteristics[characteristic].map { !$0.isDisjoint(with: [.notify, .indicate]) } ?? false
    }

    /// How the characteristic is written best: with response where the device offers it, so that a command's answer
    /// means what it says.
    public func writeKind(_ characteristic: CharacteristicID) -> Write.Kind {
        let properties = characteristics[characteristic] ?? .write
        return properties.contains(.write) ? .withResponse : .withoutResponse
    }
}
