extension BridgeFeatures {
    /// The bridge's message to itself, `bridge/<bridge>/echo`: while a robot is connected, it measures how old what arrives can
    /// be. Senders of a robot's commands may read it.
    package static let echoName = "echo"
}
