/// The known causes of a connection's end. The library usually returns only that the connection ended.
struct FailureClues {
    /// The reason in the broker's CONNACK or DISCONNECT.
    var refusal: MQTTError?
    /// The last error that the library logged.
    var complaint: String?
    /// The error that the socket reported before the remaining data was read.
    var socketError: CInt?

    /// Returns the most specific error for the end of a connection.
    ///
    /// - Parameters:
    ///   - status: The library's result.
    ///   - number: The `errno` of the call.
    func error(
        _ status: CInt, _ number: CInt, isAccepted: Bool, tls: TLSContext?, host: String, broker: String
    ) -> MQTTError {
        if let refusal { return refusal }
        if let complaint = tls?.complaint {
            return MQTTError(certificate: complaint, host: host, broker: broker)
        }
        if !isAccepted, let tls, let alert = tls.alert,
            let error = MQTTError(alert: alert, hasCertificate: tls.hasCertificate, broker: broker)
        {
            return error
        }
        if isAccepted, let complaint {
            return MQTTError(
                .connectionLost, broker: broker, explanation: "the connection was closed (\(complaint))")
        }
        if complaint == nil, let socketError { return MQTTError(errno: socketError, broker: broker) }
        return MQTTError(library: status, systemError: number, complaint: complaint, broker: broker)
    }
}
