import EventLoop
import Glibc

/// The TLS context and the password of a connection attempt. Each attempt reads its files again, so a renewed
/// certificate or password needs no restart.
struct Credentials: Sendable {
    /// The context that verifies the broker; nil without TLS.
    private(set) var tls: TLSContext?
    /// The password, if the broker requires one.
    let password: Secret?

    /// Uses the password of a configuration that names no file to read.
    init(withoutFiles target: Configuration) { password = target.password }

    /// Reads the files of a configuration; blocks.
    init(_ target: Configuration) throws(MQTTError) {
        let broker = target.brokerDescription
        if let file = target.passwordFile {
            password = try Secret(file: file, broker: broker)
        } else {
            password = target.password
        }
        guard let settings = target.tls, !target.isUnixSocket else { return }
        tls = try TLSContext(settings, host: target.serverName, broker: broker)
    }
}

extension Configuration {
    /// Whether a connection to the first broker needs files.
    var readsFiles: Bool { passwordFile != nil || tls != nil && !isUnixSocket }

    /// Reads the files that a connection to the first broker needs, and discards them; blocks.
    ///
    /// - Throws: The error of a connection attempt that cannot use the files.
    public func checkFiles() throws(MQTTError) { _ = try Credentials(self) }
}

extension Secret {
    /// The maximum size of a password file, in bytes.
    public static let fileLimit = 65_536

    /// Takes the content of a password file. A line break at its end, which editors and `echo` add, is not part of the
    /// password. Nil if the password is empty or not UTF-8.
    public init?(content bytes: [UInt8]) {
        let ending = bytes.suffix(2) == [0x0D, 0x0A] ? 2 : bytes.last == 0x0A ? 1 : 0
        guard let text = String(validating: bytes.dropLast(ending), as: UTF8.self), !text.isEmpty else {
            return nil
        }
        self.init(text)
    }

    /// Reads a password file; blocks.
    fileprivate init(file: String, broker: String) throws(MQTTError) {
        assert(!EventLoop.isOnPromptThread, "reading files would block a thread that must not block")
        func failure(_ reason: String) -> MQTTError {
            MQTTError(
                .invalidConfiguration, broker: broker,
                explanation: "cannot read the password file \(file): \(reason)")
        }
        var systemError: String { String(cString: strerror(errno)).lowercasedFirst }
        guard let stream = fopen(file, "re") else { throw failure(systemError) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: Self.fileLimit + 1)
        let count = fread(&bytes, 1, bytes.count, stream)
        guard ferror(stream) == 0 else { throw failure(systemError) }
        guard count <= Self.fileLimit, let secret = Secret(content: Array(bytes.prefix(count))) else {
            throw failure(
                "found \(count) bytes; allowed: a password in UTF-8, at most \(Self.fileLimit) bytes")
        }
        self = secret
    }
}
