import BridgeContract
package import DeviceKit
import Gestures
import HostServices
import JSON
import YAML

/// Reads the settings from all their sources, at each call of ``load(before:)``.
///
/// The package swift-configuration is not used: its readers report neither line numbers nor unknown keys, and error
/// messages need both.
package struct SettingsLoader: Sendable {
    /// The path of the configuration file; nil for the default path, where the file may be missing. The files in the
    /// folder `conf.d` next to the file are merged.
    package var file: String?
    /// The values of the command line, which have the highest precedence: for the path of each setting, the name of the
    /// option and the word that follows the option.
    package var options: [String: (option: String, word: String)] = [:]
    /// The built-in families of devices.
    package var families: [any DeviceFamily]
    /// The source of device files; nil to use no device files.
    package var deviceFiles: DeviceFileSource?
    package var host = Host.current
    /// The default path of the configuration file.
    var usualFile = SettingsLoader.usualPath

    package init(
        file: String? = nil, options: [String: (option: String, word: String)] = [:],
        families: [any DeviceFamily], deviceFiles: DeviceFileSource? = nil, host: Host = Host.current,
        usualFile: String = SettingsLoader.usualPath
    ) {
        self.file = file
        self.options = options
        self.families = families
        self.deviceFiles = deviceFiles
        self.host = host
        self.usualFile = usualFile
    }

    /// The configuration file of an installation.
    package static let usualPath = "/etc/tactile-bridge/tactile-bridge.yaml"

    /// Reads all sources of settings.
    ///
    /// - Parameter before: The families before a reload. If a device file can no longer be used, its family stays
    ///   unchanged.
    /// - Throws: ``SettingsError`` with all problems.
    package func load(before: [any DeviceFamily] = []) throws(SettingsError) -> Configuration {
        var problems: [SettingsProblem] = []
        var files = ConfigurationFiles(file ?? usualFile, mayBeMissing: file == nil)
        files.read()
        problems += files.problems
        let tree = files.tree
        // The settings depend on the families, so the device files are read first.
        let choice = chooseFamilies(tree, before.map { ($0 as? GesturedFamily)?.base ?? $0 })
        let gestures = GestureFolder(path: word(at: "gestures.directory", tree), families: choice.families)
        let families = gestures.families
        let settings = Setting.all(families)
        var sections = SectionReader(file: files.path, settings: settings, families: families)
        for tree in [tree].compactMap(\.self) + files.strays { sections.read(tree) }

        var values = SettingValues(settings)
        for (path, value) in sections.values {
            values.set(path, value.value, from: .place(value.place))
        }
        var resolver = SettingsResolver(values: values, settings: settings, host: host)
        resolver.readEnvironment()
        resolver.read(options)
        resolver.readCredentials()
        resolver.readPassword()
        resolver.readProxyKeys()
        resolver.derive()
        resolver.compare()
        values = resolver.values

        let rules = NameRules(families: families, reserved: [values.text("home_assistant.prefix")])
        let defaults = families.map { ($0.name, values.arguments($0)) }
        var fleet = FleetReader(
            reader: sections.reader, rules: rules, families: families,
            defaults: Dictionary(uniqueKeysWithValues: defaults))
        fleet.read(devices: sections.devices, groups: sections.groups)

        problems += fleet.reader.problems + resolver.problems
        guard problems.isEmpty else { throw SettingsError(problems: problems) }
        let patterns = PatternFolder(path: values.text("haptics.directory"))
        var effective = Settings(values, settings, fleet, families, host)
        effective.bridge.patterns = patterns.load()
        return Configuration(
            settings: effective, file: files.main, parts: files.parts, values: values,
            entries: settings.map { .init($0, values[$0.path], values.origin($0.path)) }
                + fleet.devices.map { device in
                    let fields = families.named(device.device.family)?.settings ?? []
                    return .init(device: device, secrets: Set(fields.filter(\.isSecret).map(\.name)))
                }
                + fleet.groups.map { .init(group: $0.group, place: $0.place) },
            warnings: resolver.warnings + fleet.warnings + choice.files.flatMap(\.warnings)
                + gestures.warnings(effective.bridge, fleet, values),
            ignored: files.ignored + choice.files.flatMap(\.ignored)
                + patterns.ignored + gestures.ignored,
            families: families,
            deviceFiles: choice.files, gestureProblems: gestures.problems,
            backup: ConfigurationBackup(values, settings, fleet))
    }

    private func chooseFamilies(_ tree: YAMLTree?, _ before: [any DeviceFamily]) -> FamilyChoice {
        let taken = TakenNames(tree, prefix: word(at: "home_assistant.prefix", tree))
        return FamilyChoice(
            builtIn: families,
            shipped: deviceFiles.map { DeviceFolder(path: $0.shipped).read(by: $0.reading) } ?? [],
            own: deviceFiles.map {
                DeviceFolder(path: word(at: Setting.devicesDirectory, tree)).read(by: $0.reading)
            } ?? [],
            before: before, reserved: Set(DeviceFileSource.takenNames(families).keys), taken: taken.holder)
    }

    /// Returns the value of a setting on which the families depend.
    private func word(at path: String, _ tree: YAMLTree?) -> String {
        guard let setting = Setting.all([]).first(where: { $0.path == path }) else { return "" }
        if let option = options[setting.path] { return option.word }
        if let word = setting.variable.flatMap({ host.environment[$0] }), !word.isEmpty { return word }
        var place = tree
        for key in setting.path.split(separator: ".") {
            guard case .mapping(let members)? = place?.content else { break }
            place = members.first { $0.key == key }?.value
        }
        if case .scalar(let text, _)? = place?.content, !text.isEmpty { return text }
        guard case .value(let value) = setting.fallback else { return "" }
        return value.string ?? ""
    }
}
