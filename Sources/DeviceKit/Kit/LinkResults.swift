public import Bluetooth

extension Answer {
    /// Creates the answer to a command from the result of its write.
    public init(_ result: WriteResult) {
        switch result {
        case .success: self = .ok
        case .failure(let error): self = .failed(CommandError(error))
        }
    }

    /// Returns the answer to a command that was in progress when the link was lost.
    ///
    /// - Parameter device: The name of the device in a sentence: `belt`.
    public static func linkLost(_ device: String) -> Answer {
        .failed(.deviceOffline, "the link to the \(device) was lost")
    }
}

extension CommandError {
    /// The arguments do not fit their declaration. Users cannot cause this error.
    public static let unreadable = CommandError(.internal, "the arguments do not match their declaration")

    /// Returns the error for a device that is offline.
    ///
    /// - Parameter device: The name of the device in a sentence: `belt`.
    public static func notConnected(_ device: String) -> CommandError {
        CommandError(.deviceOffline, "the \(device) is not connected")
    }
}

extension LinkProfile {
    /// Returns the first required characteristic that the device does not have; nil if it has all of them.
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

    /// Returns the best way to write the characteristic: with response if the device supports it, so that the answer
    /// to a command is reliable.
    public func writeKind(_ characteristic: CharacteristicID) -> Write.Kind {
        let properties = characteristics[characteristic] ?? .write
        return properties.contains(.write) ? .withResponse : .withoutResponse
    }
}
