import CMosquitto
import EventLoop
import Glibc

/// A TLS context for one connection to an address, which verifies the host *name* of the address.
///
/// libmosquitto knows only the address. So the context itself sends the name (SNI), compares it with the certificate,
/// and stores the first verification error.
///
/// `@unchecked Sendable`: it is created on a thread that may block on files and then passed to the loop. From then on
/// only the loop's thread uses it.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    private(set) var complaint: CertificateComplaint?
    /// The number of the TLS alert that the broker sent before it closed the connection.
    private(set) var alert: CInt?
    /// When the broker's certificate ends, in seconds since 1970; nil before the handshake, or if any certificate is
    /// accepted.
    private(set) var brokerEnd: Int?
    let hasCertificate: Bool
    private let host: String

    /// Reads the files of `settings`, so that a renewed certificate is used at the next connect.
    init(_ settings: Configuration.TLS, host: String, broker: String) throws(MQTTError) {
        func failure(_ what: String) -> MQTTError {
            MQTTError(.invalidConfiguration, broker: broker, explanation: "\(what): \(Self.firstError)")
        }
        assert(!EventLoop.isOnPromptThread, "reading files would block a thread that must not block")
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw failure("cannot create a TLS context")
        }
        pointer = context
        self.host = host
        hasCertificate = settings.certificateFile != nil

        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // Without this callback, OpenSSL would ask for the password of a protected key on the terminal and block the
        // thread.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        if let file = settings.caFile {
            try Self.open(file, "CA file", broker)
            guard SSL_CTX_load_verify_locations(context, file, nil) == 1 else {
                throw failure("the CA file \(file) contains no certificate in PEM format")
            }
        } else {
            // The authorities are loaded here: otherwise OpenSSL would read them from a folder during the handshake, on
            // the loop's thread.
            if let bundle = Self.systemAuthorities { SSL_CTX_load_verify_locations(context, bundle, nil) }
            SSL_CTX_set_default_verify_paths(context)
            ERR_clear_error()
        }
        if let file = settings.certificateFile {
            try Self.open(file, "certificate file", broker)
            guard SSL_CTX_use_certificate_chain_file(context, file) == 1 else {
                throw failure("the certificate file \(file) contains no certificate in PEM format")
            }
            let keyFile = settings.keyFile ?? file
            try Self.open(keyFile, "key file", broker)
            guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1,
                SSL_CTX_check_private_key(context) == 1
            else { throw failure("cannot use the key file \(keyFile)") }
        }
        expectHost()
        // The unretained pointer stays valid: `Connection` destroys its handle, with its reference to the context,
        // before it releases this object.
        SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_set_info_callback(context, Self.follow)
        if settings.insecure {
            SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
        } else {
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, Self.judge)
        }
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    /// The file with the system's trusted authorities. Nil if environment variables select other authorities for
    /// OpenSSL, or if the file is in none of the usual places.
    private static var systemAuthorities: String? {
        guard getenv("SSL_CERT_FILE") == nil, getenv("SSL_CERT_DIR") == nil else { return nil }
        return [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ].first { access($0, R_OK) == 0 }
    }

    /// Resets the results of the handshake for the next connection.
    func forget() { (complaint, alert, brokerEnd) = (nil, nil, nil) }

    private func expectHost() {
        let parameters = SSL_CTX_get0_param(pointer)
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) != 1 {
            ERR_clear_error()
            X509_VERIFY_PARAM_set1_host(parameters, host, 0)
        }
    }

    private static func of(_ ssl: OpaquePointer?) -> TLSContext? {
        guard let ssl, let context = SSL_get_SSL_CTX(ssl), let owner = SSL_CTX_get_ex_data(context, 0) else {
            return nil
        }
        return Unmanaged<TLSContext>.fromOpaque(owner).takeUnretainedValue()
    }

    /// Called by OpenSSL at each step of a handshake and for each received alert.
    private static let follow: @convention(c) (OpaquePointer?, CInt, CInt) -> Void = { ssl, moment, value in
        guard let context = of(ssl) else { return }
        // The upper byte is the alert's level; the last alert before the end counts.
        if moment == SSL_CB_READ_ALERT { context.alert = value & 0xFF }
        if moment & SSL_CB_HANDSHAKE_START != 0 { context.nameHost(ssl) }
    }

    /// Replaces the address that libmosquitto has set with the broker's name. Runs before OpenSSL builds the first
    /// handshake message.
    private func nameHost(_ ssl: OpaquePointer?) {
        host.withCString { name in
            // A numeric address must not be sent as a server name (RFC 6066, section 3). For such a host, nil removes
            // the name that libmosquitto has set.
            let isAddress = a2i_IPADDRESS(name)
            ASN1_OCTET_STRING_free(isAddress)
            _ = SSL_ctrl(
                ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                isAddress == nil ? UnsafeMutableRawPointer(mutating: name) : nil)
        }
        ERR_clear_error()
    }

    private static let judge: @convention(c) (CInt, OpaquePointer?) -> CInt = { isFine, store in
        guard let store else { return isFine }
        let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
        guard let context = of(ssl.map(OpaquePointer.init)) else { return isFine }
        // The broker's own certificate has the depth 0, and its authorities follow.
        if X509_STORE_CTX_get_error_depth(store) == 0 {
            context.brokerEnd = X509_STORE_CTX_get_current_cert(store).flatMap(CertificateEnd.of)
        }
        guard isFine == 0, context.complaint == nil else { return isFine }
        let number = X509_STORE_CTX_get_error(store)
        context.complaint = CertificateComplaint(
            number: number, words: String(cString: X509_verify_cert_error_string(Int(number))),
            subject: subject(of: X509_STORE_CTX_get_current_cert(store)))
        return isFine
    }

    private static func subject(of certificate: OpaquePointer?) -> String {
        guard let certificate, let text = X509_NAME_oneline(X509_get_subject_name(certificate), nil, 0) else {
            return ""
        }
        defer { CRYPTO_free(text, #file, #line) }
        return "(\(String(cString: text))) "
    }

    /// Throws the system's error if a file cannot be opened; OpenSSL has no message for that.
    private static func open(_ file: String, _ name: String, _ broker: String) throws(MQTTError) {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        throw MQTTError(
            .invalidConfiguration, broker: broker,
            explanation:
                "cannot read the \(name) \(file): \(String(cString: strerror(errno)).lowercasedFirst)")
    }

    /// OpenSSL's first error; the last error only names the part of OpenSSL that failed.
    private static var firstError: String {
        let number = ERR_peek_error()
        ERR_clear_error()
        guard number != 0, let words = ERR_reason_error_string(number) else { return "unknown reason" }
        return String(cString: words)
    }
}

/// A verification error of a certificate.
struct CertificateComplaint {
    /// The error number, one of `X509_V_ERR_…`.
    let number: CInt
    /// OpenSSL's message.
    let words: String
    /// The certificate's subject, followed by a space, or empty.
    let subject: String
}
