import EventLoop
import HostTesting
import Testing

@Suite("TLS through the whole bridge, as its user reads the log", .serialized)
struct EncryptionTests {
    private typealias Identity = TestCertificates.Identity

    private func broker(_ identity: Identity, clients: String? = nil) throws -> TestBroker {
        var options = TestBroker.Options()
        options.identity = identity
        options.clientAuthorityFile = clients
        return try TestBroker(options)
    }

    /// Starts a bridge that connects to a broker on this host by the name `localhost`.
    private func start(
        _ bench: Bench, _ broker: TestBroker, _ settings: [String: String] = [:]
    ) throws -> Program {
        var environment = [
            "TACTILE_BRIDGE_MQTT_PORT": "\(broker.port)", "TACTILE_BRIDGE_MQTT_TLS_ENABLED": "true",
        ]
        for (key, value) in settings { environment["TACTILE_BRIDGE_MQTT_TLS_\(key)"] = value }
        return try bench.startBridge(host: "localhost", environment: environment)
    }

    private func files(_ identity: Identity, _ authority: String) -> [String: String] {
        ["CA_FILE": authority, "CERTIFICATE_FILE": identity.certificateFile, "KEY_FILE": identity.keyFile]
    }

    @Test(
        "Each problem of a certificate, of the broker or of the bridge, is logged with its own remedy"
    )
    func refused() throws {
        let bench = try Bench(brokerRuns: false)
        let (ours, strangers) = (try TestCertificates(), try TestCertificates())
        let authority = ours.authorityFile
        let good = try broker(ours.issue("good", host: "localhost"))
        let strict = try broker(ours.issue("strict", host: "localhost"), clients: authority)
        let client = try ours.issue("client", host: "bridge")
        let cases: [(TestBroker, [String: String], [String])] = [
            (
                try broker(ours.issue("old", host: "localhost", days: -1)), ["CA_FILE": authority],
                ["the broker's certificate (/CN=localhost) has expired", "renew the broker's certificate"]
            ),
            (
                try broker(ours.issue("other", host: "broker.example")), ["CA_FILE": authority],
                ["(/CN=broker.example) does not match the host \"localhost\"", "use a host name that is in"]
            ),
            (
                try broker(ours.selfSigned("self", host: "localhost")), ["CA_FILE": authority],
                ["is self-signed", "use it as the CA file"]
            ),
            (
                good, [:],
                ["is signed by an authority that this host does not trust", "use the CA's certificate"]
            ),
            (
                good, ["CA_FILE": strangers.authorityFile],
                ["is signed by an authority that this host does not trust", "use the CA's certificate"]
            ),
            (
                strict, ["CA_FILE": authority],
                ["the broker requires a client certificate, and none is configured", "configure the files"]
            ),
            (
                strict, files(try ours.issue("late", host: "bridge", days: -1), authority),
                ["the broker rejected the client certificate: it has expired", "renew the certificate"]
            ),
            (
                strict, files(try strangers.issue("stranger", host: "bridge"), authority),
                ["the broker rejected the client certificate", "does not trust the authority"]
            ),
            (
                strict,
                ["CA_FILE": authority, "CERTIFICATE_FILE": client.certificateFile, "KEY_FILE": authority],
                ["cannot use the key file \(authority)"]
            ),
            (good, ["CA_FILE": "/no/such.pem"], ["cannot read the CA file /no/such.pem: no such file"]),
        ]
        for (broker, settings, words) in cases {
            let bridge = try start(bench, broker, settings)
            let line = try bridge.expectLine("no connection to the broker", within: .seconds(20))
            for word in words { #expect(line.contains(word), "\(line)") }
            #expect(line.contains("localhost:\(broker.port)"))
            bridge.end(with: 15)
        }
    }

    @Test(
        "With a valid authority, and the bridge's certificate from files or credentials, the bridge connects"
    )
    func trusted() throws {
        let bench = try Bench(brokerRuns: false)
        let certificates = try TestCertificates()
        let authority = certificates.authorityFile
        let strict = try broker(certificates.issue("strict", host: "localhost"), clients: authority)
        let client = try certificates.issue("client", host: "bridge")
        let bridge = try start(bench, strict, files(client, authority))
        try bridge.expectLine("connected to the broker", within: .seconds(20))
        bridge.end(with: 15)

        let credentials = try TemporaryDirectory()
        for (name, file) in [
            ("mqtt-ca", authority), ("mqtt-certificate", client.certificateFile),
            ("mqtt-key", client.keyFile),
        ] {
            try TestProcess.run(["cp", file, credentials.file(name)])
        }
        let other = try bench.startBridge(
            host: "localhost",
            environment: [
                "TACTILE_BRIDGE_MQTT_PORT": "\(strict.port)", "TACTILE_BRIDGE_MQTT_TLS_ENABLED": "true",
                "CREDENTIALS_DIRECTORY": credentials.path,
            ])
        try other.expectLine("connected to the broker", within: .seconds(20))
    }
}
