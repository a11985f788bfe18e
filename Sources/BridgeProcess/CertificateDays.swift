import BridgeConfiguration
import EventLoop
import HostServices
import MQTT

/// Reads how many days are left until the certificates of the broker connection end.
struct CertificateDays: Sendable {
    let settings: MQTTSettings

    /// Returns the days for each certificate. The files are read on another thread than the loop's.
    func days(_ client: MQTT.Client, on loop: EventLoop) async -> [(name: String, days: Int)] {
        let broker = await client.brokerCertificateEnd.map { MQTTSettings.Certificate(.broker, end: $0) }
        let files = settings.tls == nil ? [] : await certificates(on: loop)
        return ([broker].compactMap(\.self) + files).map { ($0.role.rawValue, $0.days(at: .now)) }
    }

    private func certificates(on loop: EventLoop) async -> [MQTTSettings.Certificate] {
        await withCheckedContinuation { continuation in
            do throws(EventLoopError) {
                try loop.offload {
                    settings.certificates
                } then: {
                    continuation.resume(returning: $0)
                }
            } catch {
                continuation.resume(returning: [])
            }
        }
    }
}
