import CMosquitto
import Glibc

extension MQTTError {
    /// Creates an error from the reason code of a CONNACK or of the broker's DISCONNECT (MQTT 5).
    init(_ reason: Reason, broker: String) {
        let code: Code =
            switch reason.code {
            case 0x84: .unsupportedVersion
            case 0x85: .clientIDRejected
            case 0x86, 0x8C: .badCredentials
            case 0x87, 0x8A: .notAuthorized
            case 0x88, 0x89, 0x8B: .brokerUnavailable
            case 0x8D: .keepAliveTimeout
            case 0x8E: .sessionTakenOver
            case 0x9A: .retainUnavailable
            case 0x9B: .qosUnavailable
            default: .refusedByBroker
            }
        self.init(code, broker: broker, explanation: "the broker reports: \(reason)")
        blamesMessage = reason.blamesMessage
    }

    /// Creates an error from the return code of a 3.1.1 CONNACK (1 to 5).
    init(connectReturnCode: UInt8, broker: String) {
        let reasons: [UInt8: UInt8] = [1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87]
        self.init(Reason(code: reasons[connectReturnCode] ?? 0x80), broker: broker)
    }

    /// Explains a rejected login. Mosquitto answers "not authorized" to a wrong password and to a missing password.
    ///
    /// - Parameter user: The user name of the login; nil for none.
    func namingLogin(of user: String?) -> MQTTError {
        guard code == .badCredentials || code == .notAuthorized else { return self }
        var error = self
        error.explanation =
            (user.map { "wrong password for the user \"\($0)\", or unknown user" }
                ?? "the broker requires a user name and a password") + " (\(explanation))"
        return error
    }

    /// Creates an error from the `errno` of a socket.
    init(errno number: CInt, broker: String) {
        let code: Code =
            switch number {
            case ECONNREFUSED: .connectionRefused
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT: .unreachable
            case ETIMEDOUT: .timedOut
            case ENOENT: .socketNotFound
            case EACCES, EPERM: .permissionDenied
            default: .connectionLost
            }
        self.init(code, broker: broker, explanation: String(cString: strerror(number)).lowercasedFirst)
    }

    /// Creates an error from the status of `getaddrinfo`.
    init(addressInfo status: CInt, systemError: CInt, host: String, broker: String) {
        let words =
            status == EAI_SYSTEM
            ? String(cString: strerror(systemError)) : String(cString: gai_strerror(status))
        self.init(
            .nameNotFound, broker: broker,
            explanation: "cannot resolve the name \"\(host)\": \(words.lowercasedFirst)")
    }

    /// Creates an error from the first complaint of certificate verification (`X509_V_ERR_…`).
    init(certificate complaint: CertificateComplaint, host: String, broker: String) {
        let code: Code
        let what: String
        switch complaint.number {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            (code, what) = (.certificateExpired, "has expired")
        case X509_V_ERR_CERT_NOT_YET_VALID:
            (code, what) = (.certificateNotYetValid, "is not valid yet")
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            (code, what) = (.certificateSelfSigned, "is self-signed")
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            (code, what) = (.certificateWrongHost, "does not match the host \"\(host)\"")
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            (code, what) = (
                .certificateUnknownAuthority, "is signed by an authority that this host does not trust"
            )
        default:
            (code, what) = (.certificateRejected, "was not accepted: \(complaint.words)")
        }
        self.init(code, broker: broker, explanation: "the broker's certificate \(complaint.subject)\(what)")
    }

    /// Creates an error from an alert about the client's certificate (RFC 8446, section 6.2); nil for other alerts.
    init?(alert: CInt, hasCertificate: Bool, broker: String) {
        let reason: String
        switch alert {
        case SSL_AD_BAD_CERTIFICATE: reason = "it is damaged, or for another user"
        case SSL_AD_UNSUPPORTED_CERTIFICATE: reason = "it is not a client certificate"
        case SSL_AD_CERTIFICATE_REVOKED: reason = "it has been revoked"
        case SSL_AD_CERTIFICATE_EXPIRED: reason = "it has expired"
        case SSL_AD_CERTIFICATE_UNKNOWN: reason = "no reason is given"
        case SSL_AD_UNKNOWN_CA: reason = "the broker does not trust the authority that signed it"
        case TLS13_AD_CERTIFICATE_REQUIRED: reason = "there is none"
        default: return nil
        }
        guard hasCertificate, alert != TLS13_AD_CERTIFICATE_REQUIRED else {
            self.init(
                .clientCertificateMissing, broker: broker,
                explanation: "the broker requires a client certificate, and none is configured")
            return
        }
        self.init(
            .clientCertificateRefused, broker: broker,
            explanation: "the broker rejected the client certificate: \(reason)")
    }

    /// Creates an error from a `MOSQ_ERR_…` of the library that has no other explanation.
    ///
    /// `complaint` is the last error that the library logged; with TLS the library reports reasons only in its log.
    init(library status: CInt, systemError: CInt, complaint: String?, broker: String) {
        switch status {
        case MOSQ_ERR_ERRNO.rawValue where systemError == EPROTO && complaint == nil:
            // The library returns this status with EPROTO, and logs nothing, if the TLS connection was cut off.
            self.init(
                .tlsFailed, broker: broker,
                explanation:
                    "TLS failed: the broker closed the connection without a reason; see its log")
        case MOSQ_ERR_ERRNO.rawValue where systemError != 0:
            self.init(errno: systemError, broker: broker)
        case MOSQ_ERR_KEEPALIVE.rawValue:
            self.init(
                .keepAliveTimeout, broker: broker,
                explanation: "the broker did not answer within the keep-alive time")
        case MOSQ_ERR_TLS.rawValue, MOSQ_ERR_TLS_HANDSHAKE.rawValue:
            self.init(
                .tlsFailed, broker: broker, explanation: "TLS failed: \(complaint ?? "no reason was given")")
        case _ where complaint != nil:
            self.init(.tlsFailed, broker: broker, explanation: "TLS failed: \(complaint ?? "")")
        case MOSQ_ERR_NOMEM.rawValue:
            self.init(
                .connectionLost, broker: broker,
                explanation:
                    "not enough memory for a message from the broker; limit its size with the broker's "
                    + "message_size_limit")
        case MOSQ_ERR_INVAL.rawValue:
            self.init(
                .invalidConfiguration, broker: broker, explanation: "the address or the port is invalid")
        case MOSQ_ERR_PROTOCOL.rawValue, MOSQ_ERR_MALFORMED_PACKET.rawValue, MOSQ_ERR_MALFORMED_UTF8.rawValue,
            MOSQ_ERR_DUPLICATE_PROPERTY.rawValue:
            self.init(
                .protocolError, broker: broker, explanation: "the peer violates the MQTT protocol")
        default:
            self.init(.connectionLost, broker: broker, explanation: "the connection was closed")
        }
    }
}

extension String {
    /// The string with its first letter in lower case. Unchanged if the second character is not a lower-case letter, as
    /// in "TLS".
    var lowercasedFirst: String {
        guard let first, let second = dropFirst().first, second.isLowercase else { return self }
        return first.lowercased() + dropFirst()
    }
}
