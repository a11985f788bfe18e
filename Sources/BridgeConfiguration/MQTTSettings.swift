import BridgeContract
package import MQTT
import Messages

extension MQTTSettings {
    /// The host of the first broker, or the path of its Unix socket.
    package var host: String { servers[0].host }

    /// The port of the first broker; of a Unix socket without meaning.
    package var port: Int { Int(servers[0].port ?? 0) }

    /// Whether a broker is on this host.
    private static func isHere(_ server: MQTT.Configuration.Server) -> Bool {
        let host = server.host
        return server.isUnixSocket || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Whether the way to the broker leads over a network, without encryption and without a user's name.
    package var isOpen: Bool { isReadable && username == nil && tls?.certificateFile == nil }

    /// Whether a computer between this host and the broker's can read a password.
    package var showsPassword: Bool { isReadable && password != nil }

    /// Whether the way to the broker leads over a network that can be listened to.
    private var isReadable: Bool {
        let isTrusted = tls.map { !$0.insecure } ?? false
        return !isTrusted && !servers.allSatisfy(Self.isHere)
    }

    /// What is to be said where a password can be read on its way.
    package static let passwordWarning =
        "mqtt.password: every computer between this host and the broker's can read it; set mqtt.tls.enabled"

    /// What `MQTT` is told for the bridge itself.
    ///
    /// - Parameters:
    ///   - availabilityTopic: Where the broker publishes the last will.
    ///   - idEnd: The random end of the client id, where the configuration has none.
    package func bridge(availabilityTopic: String, idEnd: String) -> MQTT.Configuration {
        var configuration = configuration(will: Self.will(availabilityTopic))
        if !isClientIDChosen { configuration.useRandomClientID(clientID, end: idEnd) }
        return configuration
    }

    /// The last will of a bridge.
    package static func will(_ availabilityTopic: String) -> MQTT.Configuration.Will {
        MQTT.Configuration.Will(topic: availabilityTopic, payload: Array("offline".utf8))
    }

    /// What `MQTT` is told.
    ///
    /// - Parameter will: What the broker publishes when the bridge is gone without a goodbye; nil for nothing.
    package func configuration(will: MQTT.Configuration.Will?) -> MQTT.Configuration {
        var configuration = MQTT.Configuration(
            version: version, clientID: clientID, username: username, password: password,
            keepAlive: keepAlive, tls: tls, will: will,
            limits: .init(payload: IncomingMessage.maximumPayload))
        configuration.servers = servers
        configuration.advice = "run tactile-bridge doctor"
        return configuration
    }
}
