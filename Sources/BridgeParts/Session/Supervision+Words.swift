package import BridgeContract

// The texts that explain why a device is not connected.
extension Supervision {
    package static let heldReason = "disconnected by request"
    package static let heldAdvice = "send the request connect to connect it again"
    package static let onRequestReason = "connected on request only"
    package static let visitReason = "connected from time to time only"
    package static let faultAdvice =
        "correct its device file, check it with tactile-bridge check-device, and reload"
    package static let notHeard = "not in range so far"
    package static func noSlot(on adapter: String) -> String {
        "the adapter \(adapter) supports no more links"
    }
    /// Reports that the device is in range but the adapter has no free slot.
    package mutating func say(noSlotOn adapter: String) {
        (reason, advice) = (Self.noSlot(on: adapter), Self.noSlotAdvice)
        reasonCode = .noSlot
    }

    package static let noSlotAdvice =
        "disconnect another device, plug in another adapter, or raise bluetooth.slots if it supports more"
    package static let proxyAdvice =
        "bring the device near an adapter of the host: it is not connected over a Bluetooth proxy, because nothing "
        + "could stop it there if the bridge ended"
    package static let proxyProblemAdvice =
        "correct what the reason names; tactile-bridge doctor checks each Bluetooth proxy"
    package static let radioAdvice =
        "make sure that the adapter is plugged in and switched on: bluetoothctl show, rfkill list"
    package static let serviceAdvice =
        "start the Bluetooth service: sudo systemctl start bluetooth; if the bus is unreachable: systemctl status dbus"
    package static let claimAdvice =
        "start bluetoothd without the plugin that uses the service, such as bluetoothd --noplugin=midi, and restart it"
    package static let holderAdvice =
        "stop the program that uses the adapter, or wait: the bridge takes over automatically"
    package var otherDeviceAdvice: String {
        fittingFamilies.isEmpty
            ? "it is not the device that its name suggests; remove it from the configuration"
            : "it advertises as a device of another family: correct its family in the configuration, or remove the "
                + "device; families that fit: \(fittingFamilies.joined(separator: " "))"
    }
    package static let absenceAdvice =
        "make sure that the device is switched on, in range, and not connected to another host"
}

extension Supervision {
    /// The code for ``advice`` that `connection` reports; nil if there is no advice.
    package var adviceCode: LinkAdvice? {
        guard let advice else { return nil }
        switch advice {
        case Self.heldAdvice: return .requestConnect
        case Self.drainAdvice: return .requestUndrain
        case Self.faultAdvice: return .mendDeviceFile
        case Self.radioAdvice: return .checkAdapter
        case Self.serviceAdvice: return .startBluetooth
        case Self.claimAdvice: return .disablePlugin
        case Self.holderAdvice: return .endOtherProgram
        case Self.absenceAdvice: return .checkDevice
        case Self.noSlotAdvice: return .freeSlot
        case Self.proxyAdvice: return .useAdapter
        case otherDeviceAdvice: return .removeFromConfiguration
        case InputGuard.advice: return .permitByAddress
        case bondAdvice: return .pairDevice
        default: return .seeAdvice
        }
    }
}
