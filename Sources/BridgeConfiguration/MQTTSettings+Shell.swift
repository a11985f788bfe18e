import DeviceKit
import MQTT

// Shell commands that users can paste into a terminal.
extension MQTTSettings {
    /// `mosquitto_pub` with the options for the connection to the broker.
    package var publishing: String { "mosquitto_pub" + way }
    /// `mosquitto_sub` with the options for the connection to the broker.
    package var subscribing: String { "mosquitto_sub" + way }

    /// Returns a topic below `mqtt.base_topic`, quoted for a shell.
    package func word(_ topic: String) -> String {
        ShellWord.quoted(baseTopic.isEmpty ? topic : "\(baseTopic)/\(topic)")
    }

    private var way: String {
        var words: [String] = []
        if host.hasPrefix("/") {
            words += ["--unix", host]
        } else {
            if host != "localhost" { words += ["-h", host] }
            if port != 1883 { words += ["-p", "\(port)"] }
        }
        if let file = tls?.caFile {
            words += ["--cafile", file]
        } else if tls != nil {
            words.append("--tls-use-os-certs")
        }
        let options = words.map { " " + ShellWord.quoted($0) }.joined()
        return username.map { options + " -u \(ShellWord.quoted($0)) -P PASSWORD" } ?? options
    }
}
