import EventLoop
import Glibc
import HostTesting
import Testing

@testable import MQTT

@Suite("Renewed passwords and certificates", .timeLimit(.minutes(1)))
struct RotationTests {
    private let resolve = MQTTTests.resolve("127.0.0.1")

    @Test("Each connection reads the password file again", arguments: [false, true])
    func password(_ isUnixSocket: Bool) async throws {
        let folder = try TemporaryDirectory()
        let broker = try TestBroker {
            $0.users = ["bridge": "first"]
            $0.hasUnixSocket = isUnixSocket
        }
        var configuration = Configuration.local(broker.port, "rotation")
        if isUnixSocket { configuration.host = try #require(broker.socketPath) }
        configuration.username = "bridge"
        configuration.passwordFile = try folder.write("first\n", to: "password")
        try await withClient(configuration) { running in
            try await running.connected()
            try folder.write("second\n", to: "password")
            broker.stop()
            try broker.start(users: ["bridge": "second"])
            try await running.disconnected()
            try await running.connected()
        }
    }

    @Test("A password that replaces another does not leave the file in use")
    func replaced() {
        var configuration = Configuration.local(1883, "rotation")
        configuration.passwordFile = "/x"
        configuration.password = "typed"
        #expect(configuration.passwordFile == nil && !configuration.readsFiles)
    }

    @Test("A password file that cannot be used is an error with the file and the reason")
    func unusable() async throws {
        let folder = try TemporaryDirectory()
        let cases = [
            (folder.file("missing"), "no such file"), (folder.path, "is a directory"),
            (try folder.write("\n", to: "empty"), "found 1 bytes; allowed: a password in UTF-8"),
            (
                try folder.write([UInt8](repeating: 65, count: Secret.fileLimit + 1), to: "long"),
                "allowed: a password in UTF-8, at most 65536 bytes"
            ),
        ]
        for (file, reason) in cases {
            var configuration = Configuration.local(1, "rotation")
            configuration.passwordFile = file
            try await withClient(configuration) { running in
                let (error, retryIn) = try await running.disconnected()
                #expect(error.code == .invalidConfiguration && retryIn >= .seconds(4))
                #expect(
                    error.explanation.contains("\(file): ") && error.explanation.contains(reason), "\(error)")
            }
            #expect(throws: MQTTError.self) { try configuration.checkFiles() }
        }
    }

    @Test(
        "The line break at the end of a password file is not part of the password",
        arguments: [
            ("a b", "a b"), ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("ü", "ü"), ("", nil),
            ("\n", nil),
        ] as [(String, String?)])
    func content(_ text: String, _ password: String?) {
        #expect(Secret(content: Array(text.utf8))?.value == password)
        #expect(Secret(content: [0xFF]) == nil)
    }

    @Test("Each connection reads the client's certificate again, and reports when the broker's ends")
    func certificate() async throws {
        let certificates = try TestCertificates()
        let identity = try certificates.issue("broker", host: "broker.test", days: 20)
        let broker = try TestBroker {
            $0.identity = identity
            $0.clientAuthorityFile = certificates.authorityFile
        }
        let client = try certificates.issue("client", host: "bridge")
        let late = try certificates.issue("late", host: "bridge", days: -1)
        func use(_ identity: TestCertificates.Identity) throws {
            try TestProcess.run(["cp", identity.certificateFile, "\(client.certificateFile).used"])
            try TestProcess.run(["cp", identity.keyFile, "\(client.keyFile).used"])
        }
        try use(late)
        let configuration = Configuration(
            host: "broker.test", port: broker.port, clientID: "rotation",
            tls: .init(
                caFile: certificates.authorityFile, certificateFile: "\(client.certificateFile).used",
                keyFile: "\(client.keyFile).used"))
        try configuration.checkFiles()
        try await withClient(configuration, resolve: resolve) { running in
            let (error, _) = try await running.disconnected()
            #expect(error.code == .clientCertificateRefused, "\(error)")
            #expect(await running.client.brokerCertificateEnd == nil)
            try use(client)
            try await running.connected()
            let end = try #require(await running.client.brokerCertificateEnd)
            #expect(Self.days(until: end) == 20)
        }
    }

    @Test("The ends of all certificates in a file are read in its order; other files have none")
    func ends() throws {
        let certificates = try TestCertificates()
        let long = try certificates.issue("long", host: "a", days: 90)
        let short = try certificates.issue("short", host: "b", days: -1)
        let folder = try TemporaryDirectory()
        let both = try folder.write(
            try [long.keyFile, long.certificateFile, short.certificateFile]
                .map { try TestProcess.run(["cat", $0]) }.joined(separator: "\n") + "\n", to: "both.pem")
        #expect(CertificateEnd.all(in: both).map(Self.days) == [90, -1])
        #expect(CertificateEnd.all(in: long.keyFile) == [] && CertificateEnd.all(in: "/no/such.pem") == [])
    }

    private static func days(until end: Int) -> Int {
        Int((Double(end - time(nil)) / 86_400).rounded())
    }
}
