/// An error of the connection to the broker: the cause, the broker and a remedy.
public struct MQTTError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Sendable, Hashable {
        /// No program listens at that address and port.
        case connectionRefused
        /// There is no route to the host.
        case unreachable
        /// The host or the broker did not answer in time.
        case timedOut
        /// The name does not resolve.
        case nameNotFound
        /// The Unix socket does not exist.
        case socketNotFound
        /// The operating system does not allow this process to open the socket.
        case permissionDenied
        /// The user name or the password is wrong.
        case badCredentials
        /// The broker accepts the login but does not authorize the client.
        case notAuthorized
        /// The broker rejects the client id.
        case clientIDRejected
        /// Another client connected with the same client id.
        case sessionTakenOver
        /// The broker does not support the requested version.
        case unsupportedVersion
        /// The broker is too busy, or is shutting down.
        case brokerUnavailable
        /// The broker does not support retained messages.
        case retainUnavailable
        /// The broker does not support QoS 1.
        case qosUnavailable
        /// The broker closed or rejected the connection for another reason, which the explanation contains.
        case refusedByBroker
        /// The broker's certificate has expired.
        case certificateExpired
        /// The broker's certificate is not yet valid, or this host's clock is wrong.
        case certificateNotYetValid
        /// The broker's certificate is self-signed.
        case certificateSelfSigned
        /// The broker's certificate is for another host.
        case certificateWrongHost
        /// The broker's certificate is signed by an unknown CA.
        case certificateUnknownAuthority
        /// The broker's certificate was rejected for another reason, which the explanation contains.
        case certificateRejected
        /// The broker requires a client certificate, and none is configured.
        case clientCertificateMissing
        /// The broker rejects the client's certificate.
        case clientCertificateRefused
        /// The TLS handshake failed.
        case tlsFailed
        /// The broker sent nothing for longer than the keep-alive interval.
        case keepAliveTimeout
        /// The broker connection was lost.
        case connectionLost
        /// The broker violated the MQTT protocol.
        case protocolError
        /// A setting or a file of the connection is invalid.
        case invalidConfiguration
        /// This client closed the broker connection.
        case closed
    }

    /// The kind of failure.
    public var code: Code
    /// The broker as text, with the numeric address if the error concerns it: `localhost:1883 (127.0.0.1)`.
    public var broker: String
    /// The cause as text; never contains a password.
    public var explanation: String
    /// An action for the user; empty if there is none.
    public var remedy: String
    /// Whether a message of the client made the broker close the connection.
    var blamesMessage = false

    /// Creates an error.
    public init(_ code: Code, broker: String, explanation: String, remedy: String? = nil) {
        self.code = code
        self.broker = broker
        self.explanation = explanation
        self.remedy = remedy ?? Self.remedy(for: code)
    }

    /// The error as one line for a log.
    public var description: String {
        let line = "\(broker): \(explanation)"
        return remedy.isEmpty ? line : "\(line); \(remedy)"
    }

    private static func remedy(for code: Code) -> String {
        switch code {
        case .connectionRefused: "is the broker running, and does it listen on this address and port?"
        case .unreachable: "check the host, the network and the firewall"
        case .timedOut: "check the host, the port and the firewall"
        case .nameNotFound: "check the spelling of the host, and the name server"
        case .socketNotFound: "is the broker running, and does it listen on this path?"
        case .permissionDenied: "give the user of this program access to the socket"
        case .badCredentials: "check the user name and the password"
        case .notAuthorized:
            "check the broker's access rules, and that it allows this user or a client without one"
        case .clientIDRejected: "choose another client id"
        case .sessionTakenOver: "if two clients use the same client id, give each its own (mqtt.client_id)"
        case .unsupportedVersion: "set the version to auto"
        case .brokerUnavailable, .keepAliveTimeout, .connectionLost, .closed: ""
        case .retainUnavailable:
            "the bridge needs retained messages: in mosquitto.conf, remove retain_available false"
        case .qosUnavailable: "the bridge needs QoS 1: in mosquitto.conf, remove max_qos 0"
        case .refusedByBroker: "see the broker's log"
        case .certificateExpired: "renew the broker's certificate"
        case .certificateNotYetValid: "check this host's clock, and the broker's certificate"
        case .certificateSelfSigned: "if this certificate is the right one, use it as the CA file"
        case .certificateWrongHost: "use a host name that is in the broker's certificate"
        case .certificateUnknownAuthority: "use the CA's certificate as the CA file"
        case .certificateRejected: "check the broker's certificate"
        case .clientCertificateMissing: "configure the files of the bridge's certificate and its key"
        case .clientCertificateRefused:
            "renew the certificate, or have it signed by an authority that the broker trusts"
        case .tlsFailed:
            "check whether this port uses TLS, and whether the broker requires a client certificate"
        case .protocolError: "check that an MQTT broker listens on this port"
        case .invalidConfiguration: "correct the setting"
        }
    }

    /// Returns the pace of the next attempt after this error.
    func pace(isLocal: Bool) -> Backoff.Pace {
        switch code {
        case .sessionTakenOver: .takenOver
        case .retainUnavailable, .qosUnavailable, .badCredentials, .notAuthorized, .clientIDRejected,
            .unsupportedVersion, .certificateExpired,
            .certificateNotYetValid, .certificateSelfSigned, .certificateWrongHost,
            .certificateUnknownAuthority,
            .certificateRejected, .clientCertificateMissing, .clientCertificateRefused, .invalidConfiguration:
            .refused
        default: .usual(isLocal: isLocal)
        }
    }
}
