import BridgeConfiguration
import DeviceKit

// When the certificates of the connection end.
extension BrokerFacts {
    /// A certificate that ends within this number of days is a warning. Programs that renew certificates usually do so
    /// 30 days before the end.
    private static let noticeDays = 14

    var certificateFindings: [Finding] { certificates.map(finding) }

    private func finding(_ certificate: MQTTSettings.Certificate) -> Finding {
        let (subject, remedies) = description(of: certificate)
        let days = certificate.days(at: date)
        guard days >= 0 else {
            return .problem(.broker, "\(subject) ended \(Self.count(-days)) ago", remedies)
        }
        let summary = "\(subject) ends in \(Self.count(days))"
        return days < Self.noticeDays ? .warning(.broker, summary, remedies) : .ok(.broker, summary)
    }

    private func description(of certificate: MQTTSettings.Certificate) -> (
        subject: String, remedies: [String]
    ) {
        guard let path = certificate.path else {
            let dates =
                "openssl s_client -connect \(ShellWord.quoted(broker)) </dev/null | openssl x509 -noout -dates"
            return ("the certificate of \(broker)", ["renew it on the broker's host", dates])
        }
        let setting = certificate.role == .authority ? "mqtt.tls.ca_file" : "mqtt.tls.certificate_file"
        return (
            "\(setting) \(path)",
            [
                "replace the file; each new connection of the bridge reads it again",
                "openssl x509 -noout -dates -issuer -in \(ShellWord.quoted(path))",
            ]
        )
    }

    private static func count(_ days: Int) -> String { days == 1 ? "1 day" : "\(days) days" }
}
