import BridgeContract
package import MQTT
import Messages

extension MQTTSettings {
    /// The host of the first broker, or the path of its Unix socket.
    package var host: String { servers[0].host }

    /// The port of the first broker. For a Unix socket, the value has no meaning.
    package var port: Int { Int(servers[0].port ?? 0) }

    /// Whether a broker runs on this host.
    private static func isHere(_ server: MQTT.Configuration.Server) -> Bool {
        let host = server.host
        return server.isUnixSocket || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Whether the connection uses a network without encryption and without user authentication.
    package var isOpen: Bool { isReadable && username == nil && tls?.certificateFile == nil }

    /// Whether a computer on the network path to the broker can read the password.
    package var showsPassword: Bool { isReadable && password != nil }

    /// Whether a computer on the network path to the broker can read the messages.
    private var isReadable: Bool {
        let isTrusted = tls.map { !$0.insecure } ?? false
        return !isTrusted && !servers.allSatisfy(Self.isHere)
    }

    /// The warning about a password that is sent without encryption.
    package static let passwordWarning =
        "mqtt.password: every computer between this host and the broker can read it; set mqtt.tls.enabled"

    /// The MQTT configuration of the bridge.
    ///
    /// - Parameters:
    ///   - availabilityTopic: The topic on which the broker publishes `offline` if the bridge dies (MQTT last will).
    ///   - idEnd: The random end of the client id, used unless the configuration sets `mqtt.client_id`.
    package func bridge(availabilityTopic: String, idEnd: String) -> MQTT.Configuration {
        var configuration = configuration(will: Self.will(availabilityTopic))
        if !isClientIDChosen { configuration.useRandomClientID(clientID, end: idEnd) }
        return configuration
    }

    package static func will(_ availabilityTopic: String) -> MQTT.Configuration.Will {
        MQTT.Configuration.Will(topic: availabilityTopic, payload: Array("offline".utf8))
    }

    /// The MQTT configuration of any client.
    ///
    /// - Parameter will: The message that the broker publishes if the client dies; nil for none.
    package func configuration(will: MQTT.Configuration.Will?) -> MQTT.Configuration {
        var configuration = MQTT.Configuration(
            version: version, clientID: clientID, username: username, password: password,
            keepAlive: keepAlive, tls: tls, will: will,
            limits: .init(payload: IncomingMessage.maximumPayload))
        configuration.servers = servers
        configuration.passwordFile = passwordFile
        configuration.advice = "run tactile-bridge doctor"
        return configuration
    }
}
