/// Why there is no connection to the broker: what failed, with which broker, and what to do.
public struct MQTTError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: Sendable, Hashable {
        /// No program listens at that address and port.
        case connectionRefused
        /// There is no way to that host.
        case unreachable
        /// The other side did not answer in time.
        case timedOut
        /// The name does not resolve.
        case nameNotFound
        /// The Unix socket does not exist.
        case socketNotFound
        /// The operating system does not let us open the socket.
        case permissionDenied
        /// The user name or the password is wrong.
        case badCredentials
        /// The broker knows us but does not let us in.
        case notAuthorized
        /// The broker does not like our client id.
        case clientIDRejected
        /// Another client came with our client id.
        case sessionTakenOver
        /// The broker does not speak the version that we want.
        case unsupportedVersion
        /// The broker is too busy, or is shutting down.
        case brokerUnavailable
        /// The broker keeps no retained messages.
        case retainUnavailable
        /// The broker has no quality of service 1.
        case qosUnavailable
        /// The broker ended or refused the connection for another reason, which it states.
        case refusedByBroker
        /// The broker's certificate has run out.
        case certificateExpired
        /// The broker's certificate is not valid yet; or our clock is wrong.
        case certificateNotYetValid
        /// The broker's certificate is signed by itself, not by a CA.
        case certificateSelfSigned
        /// The broker's certificate is for another host.
        case certificateWrongHost
        /// The broker's certificate is signed by a CA that we do not know.
        case certificateUnknownAuthority
        /// The broker's certificate is not acceptable for another reason, which it states.
        case certificateRejected
        /// The broker requires a client certificate, and we have none.
        case clientCertificateMissing
        /// The broker does not accept our certificate.
        case clientCertificateRefused
        /// The two sides could not agree on TLS.
        case tlsFailed
        /// The broker was silent for longer than the keep-alive time.
        case keepAliveTimeout
        /// The connection broke.
        case connectionLost
        /// The broker sent what MQTT does not allow.
        case protocolError
        /// A setting or a file that the connection needs is not usable.
        case invalidConfiguration
        /// The connection was closed by us.
        case closed
    }

    /// What kind of failure it is.
    public var code: Code
    /// The broker in words, with the address where it matters: `localhost:1883 (127.0.0.1)`.
    public var broker: String
    /// What happened, in words; never a password.
    public var explanation: String
    /// What to do about it.
    public var remedy: String
    /// Whether a message that we sent made the broker end the connection.
    var blamesMessage = false

    /// Describes a failure.
    public init(_ code: Code, broker: String, explanation: String, remedy: String? = nil) {
        self.code = code
        self.broker = broker
        self.explanation = explanation
        self.remedy = remedy ?? Self.remedy(for: code)
    }

    /// The failure as one line for a log.
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
        case .permissionDenied: "let the user that runs this program open the socket"
        case .badCredentials: "check the user name and the password"
        case .notAuthorized:
            "check the broker's access rules, and that it allows this user or a client without one"
        case .clientIDRejected: "choose another client id"
        case .sessionTakenOver: "if two clients use one client id, give each its own (mqtt.client_id)"
        case .unsupportedVersion: "set the version to auto"
        case .brokerUnavailable, .keepAliveTimeout, .connectionLost, .closed: ""
        case .retainUnavailable:
            "the bridge needs retained messages: in mosquitto.conf, remove retain_available false"
        case .qosUnavailable: "the bridge needs QoS 1: in mosquitto.conf, remove max_qos 0"
        case .refusedByBroker: "look into the broker's log"
        case .certificateExpired: "renew the broker's certificate"
        case .certificateNotYetValid: "check this host's clock, and the broker's certificate"
        case .certificateSelfSigned: "name that certificate itself as the CA file, if it is the right one"
        case .certificateWrongHost: "use a host name that stands in the broker's certificate"
        case .certificateUnknownAuthority: "name the CA's certificate as the CA file"
        case .certificateRejected: "look at the broker's certificate"
        case .clientCertificateMissing: "name the files of the bridge's own certificate and its key"
        case .clientCertificateRefused: "renew it, or have it signed by an authority that the broker trusts"
        case .tlsFailed: "does this port speak TLS, and does the broker want a client certificate?"
        case .protocolError: "is it an MQTT broker that listens there?"
        case .invalidConfiguration: "correct the setting"
        }
    }

    /// How gently to ask again after it.
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
