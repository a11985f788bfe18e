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
    case betweenVisits = "between_visits"
    case familyFault = "family_fault"
    case draining
    case noSlot = "no_slot"
    case proxyOnly = "proxy_only"
    case betterOffer = "better_offer"
    case preferredElsewhere = "preferred_elsewhere"
    case released = "let_go"

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
            case .proxyOnly: .proxyOnly
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
        case .notHeard: "No advertisement of the device was received since the search started."
        case .unreachable: "The device did not answer: it is out of range or switched off."
        case .unknownDevice: "The device is not in range, and the host does not know it."
        case .linkLost: "The link to the device was lost; the bridge searches for it again."
        case .linkFailed: "The link was refused or could not be established."
        case .busy: "The Bluetooth service was busy with the device; the bridge tries again soon."
        case .noAdapter: "No Bluetooth adapter is ready."
        case .adapterHeld: "Another program uses the Bluetooth adapter."
        case .bluetoothUnavailable:
            "The Bluetooth service does not run, or the service or the adapter disappeared during the connection "
                + "attempt."
        case .pairingRequired: "The device accepts only bonded clients."
        case .pairingFailed: "Bonding with the device was refused or failed."
        case .bondMissing:
            "This host has no bond with the device: the link ended for this reason, or is left to a host with a bond."
        case .handshakeFailed: "The device did not answer as its protocol requires."
        case .wrongProfile: "The device lacks something that its family needs, so it is a different device."
        case .serviceClaimed:
            "bluetoothd uses a service that the family needs, and hides it from other programs."
        case .inputDevice:
            "The device is also an input device, such as a keyboard, and was not permitted by its address."
        case .poweredOff: "The device switched itself off."
        case .heldByBridge: "Another bridge has the device."
        case .disconnectedByRequest: "The request `disconnect` disconnected the device."
        case .onRequestOnly: "Devices of the family are connected only by the request `connect`."
        case .betweenVisits: "The bridge connects to the device from time to time, next at `next_attempt`."
        case .familyFault: "The device file of the family cannot be used."
        case .draining: "The bridge is draining: it disconnects its devices and connects none."
        case .noSlot: "The adapter supports no more links; the device is connected when a link ends."
        case .proxyOnly: "Only a Bluetooth proxy receives the device, which is never connected over a proxy."
        case .betterOffer: "Another bridge receives the device better and connects to it."
        case .preferredElsewhere: "The roster prefers other bridges, which connect first."
        case .released: "The bridge stops, or no longer manages the device."
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
    case useAdapter = "use_adapter"
    case seeAdvice = "see_advice"

    /// The action in one sentence, for users.
    package var meaning: String {
        switch self {
        case .requestConnect: "Send the request `connect`."
        case .requestUndrain:
            "Send the request `undrain` to the bridge, or leave the device to another bridge."
        case .mendDeviceFile:
            "Correct the device file, check it with `tactile-bridge check-device`, and reload."
        case .checkAdapter: "Make sure that the Bluetooth adapter is plugged in and switched on."
        case .startBluetooth: "Start the Bluetooth service."
        case .disablePlugin: "Start bluetoothd without the plugin that uses the service."
        case .endOtherProgram: "Stop the program that uses the adapter, or wait."
        case .checkDevice: "Make sure that the device is on, in range, and not connected to another host."
        case .pairDevice: "Prepare the device for bonding, as `advice` describes."
        case .removeFromConfiguration: "Remove the device from the configuration, or correct its family."
        case .permitByAddress: "If you want to use the device, send `permit_join` with its address."
        case .freeSlot:
            "Disconnect another device, plug in another adapter, or raise `bluetooth.slots` if the adapter supports "
                + "more."
        case .useAdapter:
            "Bring the device near an adapter of a host; it is not connected over a Bluetooth proxy."
        case .seeAdvice: "Read `advice`, which comes from the family of the device."
        }
    }
}
