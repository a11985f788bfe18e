import Glibc
import Synchronization

/// A real mosquitto on the loopback interface (or a Unix socket) for one test, without persistence.
public final class TestBroker: Sendable {
    /// How the broker is to be.
    public struct Options: Sendable {
        /// The address that it listens on.
        public var address = "127.0.0.1"
        /// The port that it listens on; nil chooses a free one.
        public var port: UInt16?
        /// Whether it listens on a Unix socket as well.
        public var hasUnixSocket = false
        /// Names and passwords; nobody else gets in, if there are any.
        public var users: [String: String] = [:]
        /// The name and the password with which `arguments` log in, if they do.
        public var login: (name: String, password: String)?
        /// The text of its access list, if it has one.
        public var accessList: String?
        /// The certificate that it shows; with one it speaks TLS.
        public var identity: TestCertificates.Identity?
        /// The authority whose certificates clients must have, if they must.
        public var clientAuthorityFile: String?
        /// More lines of its configuration.
        public var lines: [String] = []

        /// Describes a broker that lets everybody do everything.
        public init() {}
    }

    /// The port that it listens on, also after a restart.
    public let port: UInt16
    /// The path of its Unix socket, if it has one.
    public let socketPath: String?
    private let options: Options
    private let directory: TemporaryDirectory
    private let process = Mutex<TestProcess?>(nil)

    /// Starts a broker and waits until it listens.
    public init(_ options: Options = Options()) throws {
        self.options = options
        directory = try TemporaryDirectory()
        socketPath = options.hasUnixSocket ? directory.file("mqtt.sock") : nil
        var attempts = 5
        while true {
            let port = try options.port ?? Self.freePort()
            do {
                let started = try Self.launch(options, port, socketPath, directory)
                self.port = port
                process.withLock { $0 = started }
                return
            } catch let failure as TestProcess.Failure where failure.description.contains(Self.portTaken) {
                // Between finding a free port and listening on it another program can take it.
                attempts -= 1
                guard options.port == nil, attempts > 0 else { throw failure }
            }
        }
    }

    private static let portTaken = "Address already in use"

    /// Starts it again after it was ended, on the same port and without anything that it knew.
    ///
    /// - Parameter users: Names and passwords, if others than before.
    public func start(users: [String: String]? = nil) throws {
        var options = options
        options.users = users ?? options.users
        let started = try Self.launch(options, port, socketPath, directory)
        process.withLock { $0 = started }
    }

    private static func launch(
        _ options: Options, _ port: UInt16, _ socketPath: String?, _ directory: TemporaryDirectory
    ) throws -> TestProcess {
        let lines = try lines(options, port, socketPath, directory)
        let configuration = try directory.write(
            lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")
        // Written beyond a limit on the size of its files, it is to be told so, as on a full disk, and not
        // ended.
        let started = try TestProcess(
            ["env", "--ignore-signal=XFSZ", "mosquitto", "-c", configuration], hearsSignals: true)
        var said: [String] = []
        while let line = started.nextLine(within: .seconds(10)) {
            if line.contains(" running") { return started }
            said.append(line)
        }
        throw TestProcess.Failure(description: "mosquitto does not run: \(said.joined(separator: " | "))")
    }

    /// Its process, while it runs.
    public var pid: Int32? { process.withLock { $0?.pid } }

    /// Ends it without a goodbye (`SIGKILL`).
    public func kill() {
        process.withLock { _ = $0?.end(with: SIGKILL) }
    }

    /// Ends it in an orderly way (`SIGTERM`).
    public func stop() {
        process.withLock { process in
            process?.sendAlone(SIGTERM)
            _ = process?.end(with: nil)
        }
    }

    /// Freezes it (`SIGSTOP`): connections stay open, and nobody answers.
    public func freeze() {
        process.withLock { $0?.send(SIGSTOP) }
    }

    /// Lets it go on after `freeze`.
    public func thaw() {
        process.withLock { $0?.send(SIGCONT) }
    }

    /// The arguments with which `mosquitto_sub`, `mosquitto_pub` and `mosquitto_rr` reach it.
    public var arguments: [String] {
        ["-h", options.address, "-p", "\(port)"]
            + (options.login.map { ["-u", $0.name, "-P", $0.password] } ?? [])
    }

    /// Finds a port on which nobody listens.
    public static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 ? getsockname(socket, $0, &size) : -1
            }
        }
        guard status == 0 else { throw TestProcess.Failure(description: "no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func lines(
        _ options: Options, _ port: UInt16, _ socketPath: String?, _ directory: TemporaryDirectory
    ) throws -> [String] {
        var lines = [
            "per_listener_settings false", "persistence false", "log_dest stderr", "log_type error",
            "log_type warning", "log_type information", "connection_messages false",
            "allow_anonymous \(options.users.isEmpty)",
        ]
        // Started by root it would become a user that cannot read the files of the test.
        if getuid() == 0 { lines.append("user root") }
        if !options.users.isEmpty {
            let file = try directory.write("", to: "passwords")
            chmod(file, 0o600)
            for (name, password) in options.users {
                try TestProcess.run(["mosquitto_passwd", "-b", file, name, password])
            }
            lines.append("password_file \(file)")
        }
        if let accessList = options.accessList {
            let file = try directory.write(accessList, to: "access")
            chmod(file, 0o600)
            lines.append("acl_file \(file)")
        }
        lines += options.lines
        lines.append("listener \(port) \(options.address)")
        if let identity = options.identity {
            lines += ["certfile \(identity.certificateFile)", "keyfile \(identity.keyFile)"]
        }
        if let file = options.clientAuthorityFile {
            lines += ["cafile \(file)", "require_certificate true"]
        }
        if let socketPath { lines.append("listener 0 \(socketPath)") }
        return lines
    }
}
