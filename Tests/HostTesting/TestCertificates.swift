/// Certificates created with `openssl` for a test: an authority, and certificates that it signs.
public final class TestCertificates: Sendable {
    /// A certificate and its key, as PEM files.
    public struct Identity: Sendable {
        /// The path of the certificate.
        public let certificateFile: String
        /// The path of the key.
        public let keyFile: String
    }

    private let directory: TemporaryDirectory
    private let authority: Identity

    /// The path of the authority's certificate.
    public var authorityFile: String { authority.certificateFile }

    /// Creates a new authority, which no trust store contains.
    public init() throws {
        directory = try TemporaryDirectory()
        authority = try Self.makeSelfSigned("ca", commonName: "Test Authority", names: nil, in: directory)
    }

    /// Creates a certificate for a host name, signed by the authority; it is expired if `days` is negative.
    public func issue(_ file: String, host: String, days: Int = 30) throws -> Identity {
        let identity = try Self.makeKey(file, in: directory)
        let request = directory.file("\(file).csr")
        try TestProcess.run([
            "openssl", "req", "-new", "-key", identity.keyFile, "-subj", "/CN=\(host)", "-addext",
            "subjectAltName=DNS:\(host)", "-out", request,
        ])
        try TestProcess.run([
            "openssl", "x509", "-req", "-in", request, "-CA", authority.certificateFile, "-CAkey",
            authority.keyFile, "-CAcreateserial", "-days", "\(days)", "-copy_extensions", "copy", "-out",
            identity.certificateFile,
        ])
        return identity
    }

    /// Creates a self-signed certificate for a host name.
    public func selfSigned(_ file: String, host: String) throws -> Identity {
        try Self.makeSelfSigned(file, commonName: host, names: "subjectAltName=DNS:\(host)", in: directory)
    }

    private static func makeSelfSigned(
        _ file: String, commonName: String, names: String?, in directory: TemporaryDirectory
    ) throws -> Identity {
        let identity = try makeKey(file, in: directory)
        let extensions = names.map { ["-addext", $0] } ?? []
        try TestProcess.run(
            [
                "openssl", "req", "-x509", "-new", "-key", identity.keyFile, "-subj", "/CN=\(commonName)",
                "-days", "30", "-out", identity.certificateFile,
            ] + extensions)
        return identity
    }

    private static func makeKey(_ file: String, in directory: TemporaryDirectory) throws -> Identity {
        let identity = Identity(
            certificateFile: directory.file("\(file).pem"), keyFile: directory.file("\(file).key"))
        try TestProcess.run([
            "openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", identity.keyFile,
        ])
        return identity
    }
}
