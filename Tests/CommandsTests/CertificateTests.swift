import DeviceKit
import HostTesting
import MQTT
import Testing

@testable import BridgeConfiguration
@testable import Commands

@Suite("The certificates that doctor checks")
struct CertificateTests {
    /// In seconds since 1970.
    private static let now = 1_800_000_000

    private static func findings(_ certificates: [MQTTSettings.Certificate]) -> [Finding] {
        var facts = BrokerFacts(
            settings: MQTTSettings(), connection: .undecided, id: "attic", ownHost: "attic")
        facts.certificates = certificates
        facts.date = TimeStamp(milliseconds: Int64(now) * 1000)
        return facts.certificateFindings
    }

    @Test(
        "A certificate that ends within 14 days is a warning, and one that has ended is a problem",
        arguments: [
            (90.0, .ok, "ends in 90 days"), (14, .ok, "ends in 14 days"), (13.9, .warning, "ends in 13 days"),
            (1, .warning, "ends in 1 day"), (0.5, .warning, "ends in 0 days"),
            (-0.5, .problem, "ended 1 day ago"), (-3, .problem, "ended 3 days ago"),
        ] as [(Double, Finding.Verdict, String)])
    func days(_ days: Double, _ verdict: Finding.Verdict, _ text: String) {
        let end = Self.now + Int(days * 86_400)
        let findings = Self.findings([
            .init(.broker, end: end), .init(.authority, path: "/ca.pem", end: end),
            .init(.client, path: "/my own.pem", end: end),
        ])
        #expect(findings.map(\.verdict) == [verdict, verdict, verdict])
        #expect(
            findings.map(\.summary) == [
                "the certificate of localhost:1883 \(text)", "mqtt.tls.ca_file /ca.pem \(text)",
                "mqtt.tls.certificate_file /my own.pem \(text)",
            ])
        #expect(findings.allSatisfy { $0.remedies.isEmpty == (verdict == .ok) })
        if verdict != .ok { #expect(findings[2].remedies[1].hasSuffix("-in '/my own.pem'")) }
    }

    @Test("Of several authorities the last end counts, of a certificate and its authorities the first one")
    func files() throws {
        let certificates = try TestCertificates()
        let folder = try TemporaryDirectory()
        let ends = try [15, 45].map { days in
            try TestProcess.run([
                "cat", try certificates.issue("c\(days)", host: "h", days: days).certificateFile,
            ])
        }
        let file = try folder.write(ends.joined(separator: "\n") + "\n", to: "both.pem")
        var settings = MQTTSettings()
        #expect(settings.certificates == [])
        settings.tls = .init(caFile: file, certificateFile: file, keyFile: "/no/key")
        let now = TimeStamp(milliseconds: Int64(try #require(Int(TestProcess.run(["date", "+%s"])))) * 1000)
        #expect(settings.certificates.map(\.role) == [.authority, .client])
        #expect(settings.certificates.map { $0.days(at: now) / 10 } == [4, 1])
        settings.tls = .init(caFile: "/no/ca")
        #expect(settings.certificates == [])
    }
}
