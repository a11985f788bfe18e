import BlueZ
import Bluetooth
package import BridgeConfiguration
import BridgeContract
import DeviceKit
package import EventLoop
import StateFiles

/// Checks everything that the bridge depends on, one after the other, and reports the results.
package struct Examination: Sendable {
    var loader: SettingsLoader
    var probe = HostProbe()

    package init(loader: SettingsLoader, probe: HostProbe = HostProbe()) {
        self.loader = loader
        self.probe = probe
    }

    /// All findings, in the order of ``Finding/Check``.
    package func findings(on loop: EventLoop) async throws -> [Finding] {
        try await allFindings(on: loop).map { finding in
            var finding = finding
            finding.remedies = finding.remedies.map { $0.keeping(configuration: loader.file) }
            return finding
        }
    }

    private func allFindings(on loop: EventLoop) async throws -> [Finding] {
        let configuration: Configuration?
        var read = ConfigurationFacts()
        do throws(SettingsError) {
            let loaded = try loader.load()
            (read.files, read.warnings) = (loaded.files, loaded.warnings + loaded.ignored)
            read.deviceFileProblems = loaded.deviceFiles.flatMap(\.problems)
            read.patternProblems = loaded.patternProblems
            read.deviceFileCount = loaded.deviceFiles.count { $0.family != nil }
            configuration = loaded
        } catch {
            read.problems = error.problems
            configuration = nil
        }
        var findings = read.findings + probe.clock.findings
        let settings = configuration?.settings
        let state = settings.map {
            StatePlace(configured: $0.stateDirectory, isChosen: configuration?.namesStateDirectory ?? true)
        }
        if let settings, let state {
            var facts = HostProbe.state(state.path)
            facts.renamed = Self.renamed(state.state.devices, settings.bridge, configuration?.families ?? [])
            findings += facts.findings + LatchFacts(state, settings).findings
        }

        // Bluetooth is checked with the default settings if the configuration is invalid.
        let bluetooth =
            settings?.bluetooth ?? BluetoothSettings()
        async let candidates = CandidateProbe(bus: bluetooth.bus).candidates(on: loop)
        let bus = try await BusProbe(settings: bluetooth, host: probe).facts(on: loop)
        let proxies = await ProxyFacts.ask(bluetooth.proxies, on: loop)
        let bluez: BlueZFacts? = if case .objects(let facts) = bus.answer { facts } else { nil }
        let radio = RadioFacts(
            switches: probe.switches, kernelAdapters: bus.kernelAdapters, controllers: bluez?.controllers,
            wanted: bluetooth.adapters, bridge: settings?.bridge.id)
        findings += (bus.findings + radio.findings).asNotes(
            because: proxies, kernelAdapters: bus.kernelAdapters)
        findings += proxies.flatMap(\.findings) + (await candidates).findings(bluetooth.proxies)

        guard let settings, let state else {
            return findings + [
                .warning(
                    .broker, "not checked, and neither is the state: both depend on the configuration",
                    ["tactile-bridge check-config"])
            ]
        }
        let known = state.devices
        let broker = await BrokerProbe(
            settings: settings, families: configuration?.families ?? [], named: known, host: loader.host,
            hasServiceCredential: probe.hasServiceCredential
        ).facts(on: loop)
        if broker.isBridgeOnline == true { findings += broker.heldProxies.map(\.finding) }
        if let bluez {
            findings +=
                LinkFacts(
                    devices: Self.devices(
                        bluez.linked, named: settings.bridge.devices + known, configuration?.families ?? []),
                    isBridgeOnline: broker.isBridgeOnline
                ).findings
        }
        return findings + broker.findings
    }

    /// Returns the joined devices whose names have become reserved. The warnings of the configuration report such names
    /// of configured devices.
    static func renamed(
        _ devices: [BridgeState.Device], _ settings: BridgeSettings,
        _ families: [any DeviceFamily]
    ) -> [StateFacts.Renamed] {
        let rules = NameRules(families: families, reserved: settings.reservedNames)
        let configured = Set(settings.devices.map(\.address))
        return devices.filter { $0.isJoined && !configured.contains($0.address) }.compactMap { device in
            let family = device.family
            if let reason = rules.reservation(of: device.name, family: family) {
                return .init(
                    name: device.name, now: "\(family)/\(device.address.suffix)", reason: reason)
            }
            guard let former = device.formerNames.last,
                let reason = rules.reservation(of: former, family: family)
            else { return nil }
            return .init(name: former, now: device.name, reason: reason)
        }
    }

    /// Returns the connected devices of supported families.
    private static func devices(
        _ linked: [BlueZFacts.Linked], named: [BridgeSettings.Device],
        _ families: [any DeviceFamily]
    ) -> [LinkFacts.Device] {
        linked.compactMap { device in
            let advertisement = Advertisement(
                address: device.address, name: device.name, services: device.services)
            let name = named.first { $0.address == device.address }?.name
            guard let label = name ?? families.recognizing(advertisement).first?.name else { return nil }
            return LinkFacts.Device(name: "\(label) (\(device.address))", isSubscribed: device.isSubscribed)
        }
    }
}
