import DBus
import VirtualDevices

extension Daemon {
    /// The index of an adapter that is plugged in.
    func adapterIndex(_ name: String) -> Int? {
        adapters.firstIndex { $0.name == name && $0.isPresent }
    }

    /// Plugs an adapter in. The adapter appears on the bus switched off, then its manager interfaces appear, then it is
    /// switched on.
    mutating func addAdapter(_ index: Int) {
        adapters[index].isPresent = true
        let adapter = adapters[index]
        outputs.append(
            .added(
                adapter.path,
                [
                    Output.Interface(name: BlueZName.adapter, properties: properties(of: adapter)),
                    Output.Interface(name: BlueZName.gattManager, properties: []),
                ]))
        for known in remembered where known.adapter == adapter.address { recall(known, on: adapter.name) }
        outputs.append(
            .added(
                adapter.path,
                [
                    Output.Interface(
                        name: BlueZName.advertisingManager,
                        properties: [
                            .init("ActiveInstances", .byte(0)), .init("SupportedInstances", .byte(5)),
                            .init("SupportedIncludes", .strings(["tx-power", "appearance", "local-name"])),
                        ])
                ]))
        waits.set(.powerOn(adapter.name), at: now + .milliseconds(50))
    }

    /// Unplugs an adapter.
    mutating func removeAdapter(_ index: Int) {
        let name = adapters[index].name
        setPower(of: name, false)
        for key in devices.keys.filter({ $0.adapter == name }) { remove(key, forgetting: false) }
        adapters[index].isPresent = false
        outputs.append(.removed(adapters[index].path, nil))
    }

    /// Switches an adapter on or off. Switching off ends its connections and its discovery, and removes its temporary
    /// devices.
    mutating func setPower(of name: String, _ isOn: Bool) {
        guard let index = adapterIndex(name) else { return }
        let wasReady = adapters.contains { $0.isPresent && $0.isPowered }
        defer { if isOn, !wasReady { outputs.append(.ready) } }
        guard adapters[index].isPowered != isOn else { return }
        waits.cancel(.powerOn(name))
        if isOn {
            adapters[index].isPowered = true
            signal("Powered", of: adapters[index])
            for key in devices.keys where key.adapter == name { connectByItself(key) }
            return
        }
        for key in devices.keys.filter({ $0.adapter == name }).sorted(by: { $0.name < $1.name }) {
            switch devices[key]?.link {
            case .connecting: failConnecting(key, BlueZError.unreachable)
            case .up, .closing: loseLink(key)
            case .down, nil: break
            }
            if devices[key]?.isTemporary == true { remove(key) }
        }
        adapters[index].sessions = [:]
        adapters[index].isPowered = false
        stopHearing(on: name)
        signal("Powered", "Discovering", of: adapters[index])
    }

    /// Sets a writable property of an adapter.
    mutating func set(_ property: String, _ value: Value, of index: Int) -> DBusError? {
        switch (property, value) {
        case ("Powered", .bool(let isOn)): setPower(of: adapters[index].name, isOn)
        case ("Alias", .string(let text)):
            adapters[index].alias = text.isEmpty ? "BlueZ 5.66" : text
            signal("Alias", of: adapters[index])
        case ("Discoverable", .bool(let isOn)):
            guard adapters[index].isPowered || !isOn else { return BlueZError.failed("Not Powered") }
            adapters[index].isDiscoverable = isOn
            signal("Discoverable", of: adapters[index])
        case ("Pairable", .bool(let isOn)):
            adapters[index].isPairable = isOn
            signal("Pairable", of: adapters[index])
        case ("DiscoverableTimeout", .uint32), ("PairableTimeout", .uint32): break
        default: return BlueZError.invalidArguments
        }
        return nil
    }

    /// Executes a live line (typed by a user) about an adapter: `off`, `on`, `remove`, `add` or `links` with a number,
    /// and the adapter's name unless it is the first.
    mutating func performAdapter(_ words: [String]) {
        if words.first == "links" { return limitLinks(Array(words.dropFirst())) }
        let name = words.count == 2 ? words[1] : adapters.first?.name
        guard (1...2).contains(words.count), let index = adapters.firstIndex(where: { $0.name == name })
        else {
            return misunderstood()
        }
        switch words[0] {
        case "on": setPower(of: adapters[index].name, true)
        case "off": setPower(of: adapters[index].name, false)
        case "remove": if adapters[index].isPresent { removeAdapter(index) }
        case "add": if !adapters[index].isPresent { addAdapter(index) }
        default: misunderstood()
        }
    }

    /// Limits the number of connections of an adapter, or removes the limit. Existing connections stay.
    private mutating func limitLinks(_ words: [String]) {
        let name = words.count == 2 ? words[1] : adapters.first?.name
        let limit = words.first.flatMap { Int($0) }
        guard (1...2).contains(words.count), let index = adapters.firstIndex(where: { $0.name == name }),
            words[0] == "any" || (0...1000).contains(limit ?? -1)
        else { return misunderstood() }
        adapters[index].limit = limit
    }

    private mutating func misunderstood() {
        let names = adapters.map(\.name).joined(separator: ", ")
        outputs.append(
            .report(
                Report(
                    device: nil, time: now,
                    event: .error(
                        "expected 'adapter on|off|remove|add [name]' or 'adapter links 0...1000|any [name]'; there are: \(names)"
                    ))))
    }
}
