import BridgeConfiguration
import DeviceKit
import MQTT

extension BrokerFacts {
    /// Returns commands for a broker that is unreachable or rejects the bridge.
    func remedies(_ code: MQTTError.Code) -> [String] {
        let isHere =
            settings.host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(settings.host)
        let start =
            isHere
            ? ["sudo systemctl start mosquitto", "sudo apt install mosquitto   # if there is none"]
            : ["ssh \(settings.host) systemctl status mosquitto"]
        return switch code {
        case .connectionRefused:
            start
                + (isHere
                    ? []
                    : ["does it accept other hosts? in mosquitto.conf: listener \(settings.port)"])
                + ["or correct mqtt.host and mqtt.port"]
        case .unreachable, .timedOut:
            [
                "ping -c 3 \(settings.host)",
                "or correct mqtt.host and mqtt.port; a firewall may block the connection",
            ]
        case .nameNotFound:
            [
                "getent hosts \(settings.host)",
                "or correct mqtt.host; an address such as 192.168.1.2 is allowed too",
            ]
        case .socketNotFound:
            ["ls -l \(settings.host)"] + start + ["in mosquitto.conf: listener 0 \(settings.host)"]
        case .permissionDenied:
            ["ls -l \(settings.host)", "let the bridge's user write to the socket"]
        case .badCredentials, .notAuthorized: login
        case .clientIDRejected:
            [
                "does the broker allow only certain client ids? the bridge's is \(settings.clientID), doctor's is "
                    + "\(settings.clientID)-doctor-…", "or set mqtt.client_id",
            ]
        case .sessionTakenOver: ["set bridge.id to another name: two bridges use this id"]
        case .retainUnavailable: ["in mosquitto.conf, remove retain_available false"]
        case .qosUnavailable: ["in mosquitto.conf, remove max_qos 0"]
        case .unsupportedVersion: ["set mqtt.version to auto"]
        case .certificateExpired: ["renew the broker's certificate", look]
        case .certificateNotYetValid: ["timedatectl   # is this host's clock right?", look]
        case .certificateSelfSigned, .certificateUnknownAuthority:
            ["set mqtt.tls.ca_file to the certificate of the authority that signed it", look]
        case .certificateWrongHost: ["set mqtt.host to a name in the certificate", look]
        case .certificateRejected: [look]
        case .clientCertificateMissing: ["set mqtt.tls.certificate_file and mqtt.tls.key_file"]
        case .clientCertificateRefused:
            ["openssl x509 -noout -dates -issuer -in \(settings.tls?.certificateFile ?? "CERTIFICATE")"]
        case .tlsFailed: ["is \(settings.port) the port for TLS? usually 8883", look]
        case .protocolError: ["is it an MQTT broker that listens on \(settings.port)? correct mqtt.port"]
        case .connectionLost:
            settings.tls == nil
                ? ["does this port use TLS? set mqtt.tls.enabled to true", "check the broker's log"]
                : ["check the broker's log"]
        case .brokerUnavailable, .refusedByBroker, .keepAliveTimeout, .closed:
            ["journalctl -u mosquitto -n 30   # on the broker's host"]
        case .invalidConfiguration: ["tactile-bridge check-config"]
        }
    }

    private var login: [String] {
        let user = settings.username
        if hasServiceCredential, settings.password == nil {
            return [
                "sudo CREDENTIALS_DIRECTORY=/etc/credstore tactile-bridge doctor   # with the password of the service"
            ]
        }
        guard let user else {
            return [
                "the broker requires a user: set mqtt.username, and the password in mqtt.password_file"
            ]
        }
        let password =
            settings.password == nil
            ? ["there is no password for \(user): set mqtt.password_file"]
            : ["is the password right? it comes from: tactile-bridge check-config | grep password"]
        return password + [
            "sudo mosquitto_passwd /etc/mosquitto/passwd \(ShellWord.quoted(user)) && sudo systemctl reload mosquitto   # sets a new one"
        ]
    }

    private var look: String {
        "openssl s_client -connect \(settings.host):\(settings.port) -servername \(settings.host) </dev/null"
    }
}
