package import DeviceKit

/// Why a device is not connected, for programs: `reason_code` of `connection`.
package enum LinkReason: String, CaseIterable, Sendable {
    case notHeard = "not_heard"
    case unreachable
    case unknownDevice = "unknown_device"
    case linkLost = "link_lost"
    case linkFailed = "link_failed"
    case busy
    case noAdapter = "no_adapter"
    case adapterHeld = "adapter_held"
    case bluetoothUnavailable = "bluetooth_unavailable"
    case pairingRequired = "pairing_required"
    case pairingFailed = "pairing_failed"
    case bondMissing = "bond_missing"
    case handshakeFailed = "handshake_failed"
    case wrongProfile = "wrong_profile"
    case serviceClaimed = "service_claimed"
    case inputDevice = "input_device"
    case poweredOff = "powered_off"
    case heldByBridge = "held_by_bridge"
    case disconnectedByRequest = "disconnected_by_request"
    case onRequestOnly = "on_request_only"
    case familyFault = "family_fault"
    case draining
    case noSlot = "no_slot"
    case betterOffer = "better_offer"
    case preferredElsewhere = "preferred_elsewhere"
    case letGo = "let_go"

    package init(_ code: RadioError.Code) {
        self =
            switch code {
            case .unavailable: .bluetoothUnavailable
            case .unknownDevice: .unknownDevice
            case .unreachable: .unreachable
            case .pairingRequired: .pairingRequired
            case .pairingFailed: .pairingFailed
            case .wrongProfile: .wrongProfile
            case .serviceClaimed: .serviceClaimed
            case .inputDevice: .inputDevice
            case .busy: .busy
            case .noSlot: .noSlot
            case .failed: .linkFailed
            }
    }

    package init(_ code: DeviceFailure.Code) {
        self =
            switch code {
            case .pairingRequired: .pairingRequired
            case .handshake: .handshakeFailed
            case .notThisFamily: .wrongProfile
            case .poweredOff: .poweredOff
            case .inputDevice: .inputDevice
            }
    }

    /// The reason in one sentence, for users.
    package var meaning: String {
        switch self {
        case .notHeard: "The device was not heard since the bridge looks for it."
        case .unreachable: "The device did not answer: it is out of reach or switched off."
        case .unknownDevice: "The host does not hear and does not know the device."
        case .linkLost: "The link to the device was lost; the bridge looks for it again."
        case .linkFailed: "The link was refused or could not be made."
        case .busy: "The Bluetooth service was busy with the device; the bridge tries again soon."
        case .noAdapter: "No Bluetooth adapter is ready."
        case .adapterHeld: "Another program has the Bluetooth adapter."
        case .bluetoothUnavailable:
            "The Bluetooth service does not run, or it or the adapter went away while the link was made."
        case .pairingRequired: "The device takes only clients that are bonded with it."
        case .pairingFailed: "Bonding with the device was refused or failed."
        case .bondMissing:
            "This host has no bond with the device: the link ended for want of it, or is left to a host that has one."
        case .handshakeFailed: "The device did not answer as its protocol says."
        case .wrongProfile: "The device is another one than it seemed: it lacks what its family needs."
        case .serviceClaimed:
            "bluetoothd itself uses a service that the family needs, and shows it to no other program."
        case .inputDevice: "The device is a keyboard or the like, which nobody let in."
        case .poweredOff: "The device switched itself off."
        case .heldByBridge: "Another bridge has the device."
        case .disconnectedByRequest: "The request `disconnect` let the device go."
        case .onRequestOnly: "Devices of the family are connected by the request `connect` only."
        case .familyFault: "The device file of the family cannot be used."
        case .draining: "The bridge drains: it lets its devices go and takes none."
        case .noSlot: "The adapter bears no more links; the device is connected when one ends."
        case .betterOffer: "Another bridge hears the device better and connects to it."
        case .preferredElsewhere: "The roster prefers other bridges, which go first."
        case .letGo: "The bridge ends, or does not look after the device any more."
        }
    }
}

/// What the user can do, for programs: `advice_code` of `connection`.
package enum LinkAdvice: String, CaseIterable, Sendable {
    case requestConnect = "request_connect"
    case requestUndrain = "request_undrain"
    case mendDeviceFile = "mend_device_file"
    case checkAdapter = "check_adapter"
    case startBluetooth = "start_bluetooth"
    case disablePlugin = "disable_plugin"
    case endOtherProgram = "end_other_program"
    case checkDevice = "check_device"
    case pairDevice = "pair_device"
    case removeFromConfiguration = "remove_from_configuration"
    case permitByAddress = "permit_by_address"
    case freeSlot = "free_slot"
    case seeAdvice = "see_advice"

    /// The action in one sentence, for users.
    package var meaning: String {
        switch self {
        case .requestConnect: "Send the request `connect`."
        case .requestUndrain: "Send the request `undrain` to the bridge, or leave the device to another one."
        case .mendDeviceFile: "Mend the device file, which `tactile-bridge check-device` tries, and reload."
        case .checkAdapter: "See that the Bluetooth adapter is plugged in and switched on."
        case .startBluetooth: "Start the Bluetooth service."
        case .disablePlugin: "Start bluetoothd without the plugin that uses the service."
        case .endOtherProgram: "End the program that has the adapter, or wait."
        case .checkDevice: "See that the device is on, near, and not connected to something else."
        case .pairDevice: "Prepare the device for bonding, as `advice` says, so that the bridge can bond."
        case .removeFromConfiguration: "Remove the device from the configuration, or correct its family."
        case .permitByAddress: "Let the device in by `permit_join` with its address, if it is to be."
        case .freeSlot:
            "Let another device go, plug in a further adapter, or raise `bluetooth.slots` if the adapter bears more."
        case .seeAdvice: "Read `advice`: the family of the device says what to do."
        }
    }
}
