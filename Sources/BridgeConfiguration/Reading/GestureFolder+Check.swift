import BridgeContract
import DeviceKit
import Gestures
import Haptics
import JSON
import YAML

extension GestureFolder {
    /// The commands of gestures, the allowed devices and the pairs that the bridge will refuse, one per line. Devices
    /// that are not in the configuration are checked when a gesture is made.
    func warnings(
        _ settings: BridgeSettings, _ fleet: FleetReader, _ values: SettingValues
    ) -> [String] {
        let problems = settings.gestureDevices.compactMap { name -> SettingsProblem? in
            guard let family = family(of: name, settings), family.isHazardous else { return nil }
            return SettingsProblem(
                values.origin(Self.devices).description, Self.devices,
                "found \(name), a \(family.displayName); allowed: devices that are not hazardous")
        }
        let pairs = fleet.devices.compactMap { entry -> SettingsProblem? in
            guard let complaint = complaint(aboutPairOf: entry.device, settings) else { return nil }
            return SettingsProblem(
                "\(entry.place.file ?? fleet.reader.file):\(entry.place)",
                "devices.\(entry.device.name).\(GesturedFamily.pair)", complaint)
        }
        return commands.compactMap { family, placed in
            complaint(about: placed.command, family, settings).map { "\(placed.place): \($0)" }
        } + (problems + pairs).map(\.description)
    }

    private static let devices = "gestures.devices"

    private func family(of device: String, _ settings: BridgeSettings) -> (any DeviceFamily)? {
        settings.devices.first { $0.name == device }.flatMap { families.named($0.family) }
    }

    private func complaint(
        aboutPairOf device: BridgeSettings.Device, _ settings: BridgeSettings
    ) -> String? {
        guard families.named(device.family) is GesturedFamily,
            let pair = device.settings.text(GesturedFamily.pair), !pair.isEmpty
        else { return nil }
        let other = settings.devices.first { $0.name == pair }
        guard pair == device.name || other.map({ $0.family != device.family }) ?? false else { return nil }
        return "found \(pair); allowed: another device of the family \(device.family)"
    }

    private func complaint(
        about command: DeviceCommand, _ family: String, _ settings: BridgeSettings
    ) -> String? {
        var target = families.named(family)
        if let name = command.device {
            guard settings.gestureDevices.contains(name) else {
                let allowed = settings.gestureDevices.joined(separator: " ")
                return "found the device \(name); allowed: a device of the setting \(Self.devices)"
                    + (allowed.isEmpty ? ", which is empty" : ": \(allowed)")
            }
            target = self.family(of: name, settings)
        }
        guard let target else { return nil }
        guard !target.isHazardous else {
            return "found a \(target.displayName); allowed: a device that is not hazardous"
        }
        guard let declared = target.feature(command.feature)?.command else {
            let names = target.features.filter { $0.command != nil }.map(\.name)
            return "found the command \(command.feature); allowed: one of \(names.joined(separator: " "))"
        }
        let arguments: Arguments
        do throws(CommandError) {
            arguments = try declared.parse(command.payload.bytes).arguments
        } catch {
            return error.message
        }
        if command.feature == Feature.hapticName, let pattern = arguments.text("pattern"),
            pattern != "stop", !settings.patterns.names.contains(pattern)
        {
            let names = settings.patterns.names.joined(separator: " ")
            return "found the pattern \(pattern); allowed: one of \(names)"
        }
        return nil
    }
}
