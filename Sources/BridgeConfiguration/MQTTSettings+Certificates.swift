package import DeviceKit
import MQTT

// The files of the broker connection, which each connection attempt reads again.
extension MQTTSettings {
    /// A certificate that the connection to the broker needs, and when it ends.
    package struct Certificate: Hashable, Sendable {
        package enum Role: String, Hashable, Sendable, CaseIterable {
            /// The broker's certificate.
            case broker
            /// The authorities that the broker's certificate is checked against.
            case authority = "ca"
            /// The certificate with which the bridge logs in.
            case client
        }

        package var role: Role
        /// The file; nil for the broker's certificate.
        package var path: String?
        /// When it ends, in seconds since 1970.
        package var end: Int

        package init(_ role: Role, path: String? = nil, end: Int) {
            self.role = role
            self.path = path
            self.end = end
        }

        /// The whole days until the end; negative after the end.
        package func days(at now: TimeStamp) -> Int {
            Int((Double(Int64(end) * 1000 - now.milliseconds) / 86_400_000).rounded(.down))
        }
    }

    /// Reads the certificates of the configured files; blocks. A file that cannot be used is omitted: the connection
    /// reports it.
    package var certificates: [Certificate] {
        // Of several authorities, the connection needs only one. So a file may contain an old and a new authority.
        let authority = tls?.caFile.flatMap { path in
            CertificateEnd.all(in: path).max().map { Certificate(.authority, path: path, end: $0) }
        }
        // The bridge's own certificate is followed by its intermediate authorities, all of which it needs.
        let client = tls?.certificateFile.flatMap { path in
            CertificateEnd.all(in: path).min().map { Certificate(.client, path: path, end: $0) }
        }
        return [authority, client].compactMap(\.self)
    }

    /// Why the next connection cannot use its files, in one sentence; empty if it can. Blocks.
    var fileProblems: [String] {
        do throws(MQTTError) { try configuration(will: nil).checkFiles() } catch {
            return ["mqtt: \(error.explanation)"]
        }
        return []
    }
}
