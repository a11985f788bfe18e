import BridgeContract
package import DeviceKit
import HostServices
import JSON
import YAML

/// Reads the settings from all their sources, again each time it is asked.
///
/// swift-configuration is not used: its readers know neither lines nor unknown keys, and both are
/// needed to tell a person what is wrong with a file.
package struct SettingsLoader: Sendable {
    /// The configuration file; nil for the usual place, which may be empty. Files of `conf.d` beside it join it.
    package var file: String?
    /// Values from the command line, stronger than all others: the option and its word, by path.
    package var options: [String: (option: String, word: String)] = [:]
    /// The families of devices that the program has itself.
    package var families: [any DeviceFamily]
    /// Where device files come from; nil for none.
    package var deviceFiles: DeviceFileSource?
    /// The machine.
    package var host = Host.current
    /// Where the configuration file is looked for if none is named.
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

    /// Where an installed bridge has its configuration file.
    package static let usualPath = "/etc/tactile-bridge/tactile-bridge.yaml"

    /// Reads everything.
    ///
    /// - Parameter before: The families until now: where a device file cannot be used any more its family stays.
    /// - Throws: ``SettingsError`` with all that is wrong.
    package func load(before: [any DeviceFamily] = []) throws(SettingsError) -> Configuration {
        var problems: [SettingsProblem] = []
        var files = ConfigurationFiles(file ?? usualFile, mayBeMissing: file == nil)
        files.read()
        problems += files.problems
        let tree = files.tree
        // The families decide which settings there are, so that the folder of their files is looked up before.
        let choice = chooseFamilies(tree, before)
        let families = choice.families
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
            warnings: resolver.warnings + fleet.warnings + choice.files.flatMap(\.warnings),
            ignored: files.ignored + choice.files.flatMap(\.ignored)
                + patterns.ignored,
            families: families,
            deviceFiles: choice.files,
            backup: ConfigurationBackup(values, settings, fleet))
    }

    private func chooseFamilies(_ tree: YAMLTree?, _ before: [any DeviceFamily]) -> FamilyChoice {
        func word(_ setting: Setting) -> String {
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
        let own = Setting.all([])
        func word(at path: String) -> String { own.first { $0.path == path }.map(word) ?? "" }
        let taken = TakenNames(tree, prefix: word(at: "home_assistant.prefix"))
        return FamilyChoice(
            builtIn: families,
            shipped: deviceFiles.map { DeviceFolder(path: $0.shipped).read(by: $0.reading) } ?? [],
            own: deviceFiles.map {
                DeviceFolder(path: word(at: Setting.devicesDirectory)).read(by: $0.reading)
            } ?? [],
            before: before, reserved: Set(DeviceFileSource.takenNames(families).keys), taken: taken.holder)
    }
}
