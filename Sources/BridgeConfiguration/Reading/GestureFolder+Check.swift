import BridgeContract
import DeviceKit
import Gestures
import Haptics
import JSON

extension GestureFolder {
    /// The commands of gestures and the pairs that the bridge will refuse, one per line. Devices that are not in the
    /// configuration are checked when a gesture is made.
    func warnings(_ settings: BridgeSettings) -> [String] {
        commands.compactMap { family, placed in
            complaint(about: placed.command, family, settings).map { "\(placed.place): \($0)" }
        } + settings.devices.compactMap { complaint(aboutPairOf: $0, settings) }
    }

    private func complaint(aboutPairOf device: BridgeSettings.Device, _ settings: BridgeSettings) -> String? {
        guard families.named(device.family) is GesturedFamily,
            let pair = device.settings.text(GesturedFamily.pair), !pair.isEmpty
        else { return nil }
        let other = settings.devices.first { $0.name == pair }
        guard pair == device.name || other.map({ $0.family != device.family }) ?? false else { return nil }
        return "devices.\(device.name).pair: found \(pair); allowed: another device of the family "
            + device.family
    }

    private func complaint(
        about command: DeviceCommand, _ family: String, _ settings: BridgeSettings
    ) -> String? {
        var target = families.named(family)
        if let name = command.device {
            guard settings.gestureDevices.contains(name) else {
                let allowed = settings.gestureDevices.joined(separator: " ")
                return "found the device \(name); allowed: a device of the setting gestures.devices"
                    + (allowed.isEmpty ? ", which is empty" : ": \(allowed)")
            }
            let device = settings.devices.first { $0.name == name }
            target = device.flatMap { families.named($0.family) }
        }
        guard let target else { return nil }
        guard !target.isHazardous else {
            return "found a \(target.displayName); allowed: a device that is not hazardous"
        }
        guard let declared = target.feature(command.feature)?.command else {
            let names = target.features.filter { $0.command != nil }.map(\.name)
            return "found the command \(command.feature); allowed: one of \(names.joined(separator: " "))"
        }
        do throws(CommandError) {
            _ = try declared.parse(command.payload.bytes)
        } catch {
            return error.message
        }
        if command.feature == Feature.hapticName, let pattern = command.payload["pattern"]?.string,
            pattern != "stop", !settings.patterns.names.contains(pattern)
        {
            let names = settings.patterns.names.joined(separator: " ")
            return "found the pattern \(pattern); allowed: one of \(names)"
        }
        return nil
    }
}
