extension BridgeFeatures {
    /// The bridge's message to itself, `bridge/<bridge>/echo`. While a robot is connected, this message measures the
    /// latency of incoming messages. Clients that send commands to robots may read it.
    package static let echoName = "echo"
}
