import DeviceKit
import HostServices
import JSON
import MQTT

/// Adds the values of the environment, the command line and the credentials to the values of the configuration file,
/// and checks combinations of values.
struct SettingsResolver {
    var values: SettingValues
    private(set) var problems: [SettingsProblem] = []
    var warnings: [String] = []

    private let settings: [Setting]
    let host: Host

    init(values: SettingValues, settings: [Setting], host: Host) {
        self.values = values
        self.settings = settings
        self.host = host
    }

    /// Environment variables of the project's scripts and tests. A bridge that a script or test starts inherits them,
    /// so they are not reported as unknown.
    private static let scriptVariables: Set = [
        "TACTILE_BRIDGE_BIN", "TACTILE_BRIDGE_TESTS", "TACTILE_BRIDGE_CACHE", "TACTILE_BRIDGE_LOAD_SECONDS",
    ]

    /// Reads the environment variables of the program.
    mutating func readEnvironment() {
        let variables = host.environment.filter {
            $0.key.hasPrefix(Setting.variablePrefix) && !Self.scriptVariables.contains($0.key)
        }
        for (variable, word) in variables.sorted(by: { $0.key < $1.key }) {
            guard let setting = settings.first(where: { $0.variable == variable }) else {
                let near = Nearest.word(to: variable, among: settings.compactMap(\.variable))
                warnings.append(
                    "\(variable): not a setting" + (near.map { "; did you mean \($0)?" } ?? ""))
                continue
            }
            if word.isEmpty, !setting.takesEmptyText {
                warnings.append("\(variable): empty, so treated as not set")
            } else {
                read(word, setting, from: .environment(variable))
            }
        }
    }

    /// Reads the settings that the command line contains as options.
    mutating func read(_ options: [String: (option: String, word: String)]) {
        for (path, option) in options.sorted(by: { $0.key < $1.key }) {
            guard let setting = settings.first(where: { $0.path == path }) else { continue }
            read(option.word, setting, from: .option(option.option))
        }
    }

    /// Reads the TLS files that systemd provides as credentials, unless the environment sets other files.
    mutating func readCredentials() {
        guard let folder = host.environment["CREDENTIALS_DIRECTORY"] else { return }
        let credentials = [
            ("mqtt-ca", "mqtt.tls.ca_file"), ("mqtt-certificate", "mqtt.tls.certificate_file"),
            ("mqtt-key", "mqtt.tls.key_file"),
        ]
        for (name, path) in credentials {
            if case .environment = values.origin(path) { continue }
            let file = "\(folder)/\(name)"
            if FileAccess.isThere(file) { values.set(path, .string(file), from: .content(file)) }
        }
    }

    /// Reads the password from systemd's credential, otherwise from `mqtt.password_file`, unless the environment sets
    /// the password.
    mutating func readPassword() {
        guard !values.isSet("mqtt.password") else { return }
        if let folder = host.environment["CREDENTIALS_DIRECTORY"] {
            do {
                let path = "\(folder)/mqtt-password"
                return readPassword(try FileAccess.read(path, limit: Secret.fileLimit), from: path)
            } catch {
                if !error.isMissing {
                    problems.append(SettingsProblem("", "mqtt.password", "\(error)"))
                }
            }
        }
        guard let path = values.optionalText("mqtt.password_file") else { return }
        do {
            readPassword(try FileAccess.read(path, limit: Secret.fileLimit), from: path)
            if FileAccess.isReadableByAll(path) {
                warnings.append(
                    "mqtt.password_file: every user of this host can read \(path); run chmod o= on it")
            }
        } catch {
            problems.append(
                SettingsProblem(
                    values.origin("mqtt.password_file").description, "mqtt.password_file",
                    "found \(path): \(error.reason); allowed: a file that the bridge can read"))
        }
    }

    private mutating func readPassword(_ bytes: [UInt8], from path: String) {
        guard let secret = Secret(content: bytes) else {
            problems.append(
                SettingsProblem(path, "mqtt.password", "found nothing; allowed: a password in UTF-8"))
            return
        }
        values.set("mqtt.password", .string(secret.value), from: .content(path))
    }

    /// Derives defaults from the host and from other settings.
    mutating func derive() {
        derive("bridge.id", .string(host.topicLevel), "host name")
        derive("bridge.state_directory", .string(host.stateDirectory), "environment")
        let isEncrypted = values.flag("mqtt.tls.enabled")
        derive("mqtt.port", .integer(isEncrypted ? 8883 : 1883), isEncrypted ? "with TLS" : "without TLS")
        derive(
            "mqtt.client_id", .string("tactile-bridge-\(values.text("bridge.id"))"),
            "bridge.id; the bridge appends random characters")
    }

    private mutating func derive(_ path: String, _ value: JSON.Value, _ source: String) {
        if values[path] == nil { values.set(path, value, from: .derived(source)) }
    }

    /// Rejects contradictory values, and warns about values that have no effect.
    mutating func compare() {
        compareBrokers()
        compareProxies()
        if values.isSet("mqtt.password"), values.optionalText("mqtt.username") == nil {
            complain(
                "mqtt.username", because: "mqtt.password",
                "missing, but a password is set; allowed: the user name for the broker")
        }
        let (certificate, key) = ("mqtt.tls.certificate_file", "mqtt.tls.key_file")
        if values.isSet(certificate) != values.isSet(key) {
            let (given, missing) = values.isSet(key) ? (key, certificate) : (certificate, key)
            complain(missing, because: given, "missing, but \(given) is set; allowed: both or neither")
        }
        if !values.flag("mqtt.tls.enabled") {
            for path in ["mqtt.tls.ca_file", certificate, key] where values.isSet(path) {
                warnings.append("\(path): has no effect, because mqtt.tls.enabled is false")
            }
        } else if values.flag("mqtt.tls.insecure") {
            warnings.append(
                "mqtt.tls.insecure: a program between bridge and broker can read and change everything")
        }
        if MQTTSettings(values).showsPassword { warnings.append(MQTTSettings.passwordWarning) }
        if values.isSet("mqtt.port"), MQTTSettings(values).servers.allSatisfy(\.isUnixSocket) {
            warnings.append("mqtt.port: has no effect, because the broker is reached over a Unix socket")
        }
        if let address = ListenAddress(values.text("console.listen")), !address.isLoopback,
            values.text("console.login") == "none"
        {
            complain(
                "console.login", because: "console.login",
                "found none, but other hosts can reach \(address) in console.listen; allowed: token broker proxy, or "
                    + "a loopback address")
        }
        if let address = ListenAddress(values.text("metrics.listen")), !address.isLoopback {
            warnings.append(
                "metrics.listen: every host that reaches \(address) over the network can read the metrics, which name "
                    + "the devices")
        }
    }

    mutating func complain(_ path: String, because other: String, _ message: String) {
        problems.append(SettingsProblem(values.origin(other).description, path, message))
    }

    private mutating func read(_ word: String, _ setting: Setting, from origin: Origin) {
        do {
            let value = try Scalar.value(
                word, isPlain: true, as: setting.type, form: setting.form,
                isSecret: setting.secrecy != .open)
            values.set(setting.path, value, from: origin)
        } catch {
            problems.append(SettingsProblem(origin.description, setting.path, error.message))
        }
    }
}

extension Setting {
    fileprivate var takesEmptyText: Bool {
        guard case .text(let range) = type else { return false }
        return range.contains(0)
    }
}
