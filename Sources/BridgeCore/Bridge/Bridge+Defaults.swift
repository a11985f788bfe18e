import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// Default settings of families, which the request `defaults` changes while devices are connected.
extension Bridge {
    func changeDefaults(_ arguments: Arguments) -> JSON.Object {
        let named = families.filter { arguments[$0.name]?.object != nil }
        for family in named { change(family.name, arguments[family.name]?.object ?? [:]) }
        let defaults = settings.defaults
        keep { $0.keep(defaults: defaults) }
        let names = Set(named.map(\.name))
        let atOnce = arguments.flag("immediate")
        var devices: [JSON.Value] = []
        for session in fleet.inOrder where names.contains(session.family.name) {
            let changed = arguments[session.family.name]?.object?.keys ?? []
            session.use(settings(for: session), atOnce: atOnce ? Set(changed) : [])
            if atOnce, session.isReady { devices.append(.string(session.name)) }
        }
        var answer = defaultsInForce
        if !named.isEmpty {
            logger.notice(
                "a request changed default settings of families",
                metadata: ["now": "\(JSON.Value.object(answer))", "immediate": "\(atOnce)"])
        }
        answer["devices"] = .array(devices)
        return answer
    }

    private func change(_ family: String, _ changes: JSON.Object) {
        var defaults = settings.defaults[family] ?? [:]
        for change in changes.members {
            defaults[change.key] = change.value == .null ? nil : .some(change.value)
        }
        settings.defaults[family] = defaults.isEmpty ? nil : defaults
    }

    private var defaultsInForce: JSON.Object {
        var all = JSON.Object()
        for family in families where !family.changeableSettings.isEmpty {
            let settings = settings.settings(of: family)
            let values = BridgeFeatures.changeable(family).compactMap { field in
                (settings[field.name] ?? field.default).map { (field.name, $0) }
            }
            all[family.name] = .object(JSON.Object(values))
        }
        return all
    }

    private func settings(for session: DeviceSession) -> Arguments {
        if let device = settings[session.address] { return settings.settings(of: device) }
        return settings.settings(of: session.family, with: kept[session.address]?.settings ?? [:])
    }

    /// Returns the paths of the settings that are set both by a request and, with a different value, by the
    /// configuration. The value of the configuration has no effect.
    func reportOverridden() -> [String] {
        let paths = settings.defaults.sorted { $0.key < $1.key }.flatMap { family, own in
            own.members.filter { settings.families[family]?[$0.key] != $0.value }.map {
                "\(family).\($0.key)"
            }
        }
        for path in paths {
            logger.notice(
                "a default from a request overrides the configuration; the request defaults with null removes it",
                metadata: ["setting": "\(path)"])
        }
        return paths
    }

    /// Restores the settings that requests set before a restart and that the families still have.
    func restoreDefaults() {
        for (name, own) in kept.state.defaults {
            let fields = fleet.family(name).map(BridgeFeatures.changeable) ?? []
            let valid = own.members.filter { member in
                fields.contains { field in
                    field.name == member.key
                        && (try? field.type.check(member.value, path: field.name)) != nil
                }
            }
            if !valid.isEmpty {
                settings.defaults[name] = JSON.Object(valid.map { ($0.key, $0.value) })
            }
        }
    }
}
