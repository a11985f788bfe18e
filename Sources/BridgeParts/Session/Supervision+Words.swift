package import BridgeContract

// The texts that explain why a device is not connected.
extension Supervision {
    package static let heldReason = "disconnected by request"
    package static let heldAdvice = "the request connect brings it back"
    package static let onRequestReason = "connected on request only"
    package static let faultAdvice = "mend its device file, tried by tactile-bridge check-device, and reload"
    package static let notHeard = "not heard so far"
    package static func noSlot(on adapter: String) -> String { "the adapter \(adapter) bears no more links" }
    /// Reports that the device is in range but the adapter has no free slot.
    package mutating func say(noSlotOn adapter: String) {
        (reason, advice) = (Self.noSlot(on: adapter), Self.noSlotAdvice)
        reasonCode = .noSlot
    }

    package static let noSlotAdvice =
        "let another device go, plug in a further adapter, or raise bluetooth.slots if it bears more"
    package static let radioAdvice =
        "see that the adapter is plugged in and switched on: bluetoothctl show, rfkill list"
    package static let serviceAdvice =
        "start the Bluetooth service: sudo systemctl start bluetooth; if the bus cannot be reached: systemctl status dbus"
    package static let claimAdvice =
        "start bluetoothd without the plugin that uses the service, such as bluetoothd --noplugin=midi, and restart it"
    package static let holderAdvice =
        "end the program that has the adapter, or let this bridge wait: it takes over by itself"
    package var otherDeviceAdvice: String {
        fittingFamilies.isEmpty
            ? "it is another device than its name says; remove it from the configuration"
            : "it advertises as a device of another family: correct its family in the configuration, or remove it from "
                + "there; families that fit: \(fittingFamilies.joined(separator: " "))"
    }
    package static let absenceAdvice =
        "see that the device is switched on, near, and not connected to something else"
}

extension Supervision {
    /// The advice as a code; nil if there is none.
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
        case otherDeviceAdvice: return .removeFromConfiguration
        case InputGuard.advice: return .permitByAddress
        case bondAdvice: return .pairDevice
        default: return .seeAdvice
        }
    }
}
