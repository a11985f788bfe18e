import EventLoop
import HostTesting
import Messages
import Testing

@testable import MQTT

@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    /// Resolves every name to this host, so that a certificate can be for a name that no name server knows.
    private let resolve = MQTTTests.resolve("127.0.0.1")

    private func configuration(
        _ broker: TestBroker, host: String = "broker.test", _ tls: Configuration.TLS
    ) -> Configuration {
        Configuration(host: host, port: broker.port, clientID: "tls", tls: tls)
    }

    private func broker(_ identity: TestCertificates.Identity, clients: String? = nil) throws -> TestBroker {
        try TestBroker {
            $0.identity = identity
            $0.clientAuthorityFile = clients
        }
    }

    @Test("A certificate of a known authority for the configured name is trusted, whatever the address")
    func trusted() async throws {
        let certificates = try TestCertificates()
        let broker = try broker(certificates.issue("good", host: "broker.test"))
        let tls = Configuration.TLS(caFile: certificates.authorityFile)
        try await withClient(configuration(broker, tls), subscriptions: [TopicFilter("t")], resolve: resolve)
        {
            running in
            try await running.connected()
            running.client.publish(.event("u", [UInt8](repeating: 65, count: 100_000)))
            #expect(await running.client.flush(within: .seconds(5)))
        }
    }

    @Test("Each certificate problem has its own error")
    func distrusted() async throws {
        let certificates = try TestCertificates()
        let authority = Configuration.TLS(caFile: certificates.authorityFile)
        let good = try broker(certificates.issue("good", host: "broker.test"))
        let expired = try broker(certificates.issue("expired", host: "broker.test", days: -1))
        let selfSigned = try broker(certificates.selfSigned("self", host: "broker.test"))
        let cases: [(Configuration, MQTTError.Code)] = [
            (configuration(good, host: "other.test", authority), .certificateWrongHost),
            (configuration(good, host: "127.0.0.1", authority), .certificateWrongHost),
            (configuration(expired, authority), .certificateExpired),
            (configuration(selfSigned, authority), .certificateSelfSigned),
            (configuration(good, Configuration.TLS()), .certificateUnknownAuthority),
            (configuration(good, Configuration.TLS(caFile: "/no/such.pem")), .invalidConfiguration),
        ]
        for (configuration, code) in cases {
            try await withClient(configuration, resolve: resolve) { running in
                let (error, retryIn) = try await running.disconnected()
                #expect(error.code == code, "\(error)")
                #expect(retryIn >= .seconds(4))
            }
        }
        var insecure = configuration(expired, host: "other.test", authority)
        insecure.tls?.insecure = true
        try await withClient(insecure, resolve: resolve) { running in
            try await running.connected()
            expired.kill()
            let (error, _) = try await running.disconnected()
            #expect(error.code == .connectionLost, "what was to be ignored is not blamed later")
        }
    }

    @Test("A self-signed certificate is trusted as a CA file, as the error's remedy states")
    func pinned() async throws {
        let certificates = try TestCertificates()
        let identity = try certificates.selfSigned("self", host: "broker.test")
        let broker = try broker(identity)
        let tls = Configuration.TLS(caFile: identity.certificateFile)
        try await withClient(configuration(broker, tls), resolve: resolve) { try await $0.connected() }
    }

    @Test("A client certificate is sent if the broker requires it; a missing certificate is reported")
    func clientCertificate() async throws {
        let certificates = try TestCertificates()
        let broker = try broker(
            certificates.issue("good", host: "broker.test"), clients: certificates.authorityFile)
        let identity = try certificates.issue("client", host: "bridge")
        var tls = Configuration.TLS(caFile: certificates.authorityFile)
        try await withClient(configuration(broker, tls), resolve: resolve) { running in
            let (error, _) = try await running.disconnected()
            #expect(error.code == .clientCertificateMissing, "\(error)")
        }
        let strangers = try TestCertificates()
        let refused = [
            (try certificates.issue("old", host: "bridge", days: -1), "it has expired"),
            (try strangers.issue("stranger", host: "bridge"), "does not trust the authority"),
        ]
        for (identity, reason) in refused {
            (tls.certificateFile, tls.keyFile) = (identity.certificateFile, identity.keyFile)
            try await withClient(configuration(broker, tls), resolve: resolve) { running in
                let (error, retryIn) = try await running.disconnected()
                #expect(error.code == .clientCertificateRefused, "\(error)")
                #expect(error.explanation.contains(reason), "\(error)")
                #expect(retryIn >= .seconds(4))
            }
        }
        tls.certificateFile = identity.certificateFile
        tls.keyFile = identity.keyFile
        try await withClient(configuration(broker, tls), resolve: resolve) { try await $0.connected() }
    }

    @Test("TLS on a plain port, and a plain connection on a TLS port, fail with an error and not in a loop")
    func mismatch() async throws {
        let plain = try TestBroker()
        try await withClient(configuration(plain, Configuration.TLS()), resolve: resolve) { running in
            let (error, _) = try await running.disconnected()
            #expect([.tlsFailed, .connectionLost].contains(error.code), "\(error)")
        }
        let certificates = try TestCertificates()
        let secured = try broker(certificates.issue("good", host: "broker.test"))
        try await withClient(.local(secured.port, "plain")) { running in
            let (error, _) = try await running.disconnected()
            #expect([.protocolError, .connectionLost].contains(error.code), "\(error)")
        }
    }

    @Test(
        "The handshake includes the host name, so that a server with several names sends the right certificate"
    )
    func serverName() async throws {
        let certificates = try TestCertificates()
        let wrong = try certificates.issue("wrong", host: "other.test")
        let right = try certificates.issue("right", host: "broker.test")
        let port = try TestBroker.freePort()
        let server = try TestProcess([
            "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", wrong.certificateFile, "-key",
            wrong.keyFile, "-servername", "broker.test", "-cert2", right.certificateFile, "-key2",
            right.keyFile,
            "-quiet",
        ])
        var configuration = Configuration(
            host: "broker.test", port: port, clientID: "sni",
            tls: Configuration.TLS(caFile: certificates.authorityFile))
        configuration.connectTimeout = .seconds(1)
        try await withClient(configuration, resolve: resolve) { running in
            for await case .disconnected(let error, _) in running.events
            where error.code != .connectionRefused {
                #expect([.timedOut, .connectionLost].contains(error.code), "\(error)")
                break
            }
        }
        server.end(with: 9)
    }
}
