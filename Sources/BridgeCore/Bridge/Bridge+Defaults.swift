import BridgeContract
import DeviceKit
import JSON
import Logging

// Settings of families that a request changes while devices are connected.
extension Bridge {
    /// Carries the request out.
    func changeDefaults(_ arguments: Arguments) -> JSON.Object {
        let named = families.filter { arguments[$0.name]?.object != nil }
        for family in named { change(family.name, arguments[family.name]?.object ?? [:]) }
        let defaults = settings.defaults
        keep { $0.keep(defaults: defaults) }
        let names = Set(named.map(\.name))
        let atOnce = arguments.flag("immediate")
        var devices: [JSON.Value] = []
        for session in fleet.inOrder where names.contains(session.family.name) {
            session.use(settings(for: session), atOnce: atOnce)
            if atOnce, session.isReady { devices.append(.string(session.name)) }
        }
        var answer = defaultsInForce
        if !named.isEmpty {
            logger.notice(
                "the defaults were changed",
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

    /// Takes what requests set before a restart, as far as the families still have such settings.
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
