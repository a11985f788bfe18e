import BlueZ
import BridgeCore
import DeviceKit

extension Requirements {
    /// What a family needs, in BlueZ's terms.
    init(_ requirements: LinkRequirements) {
        self.init(
            required: requirements.required, optional: requirements.optional,
            isSafetyCritical: requirements.isSafetyCritical, isShared: requirements.isInputDevice,
            mayBond: requirements.mayBond, services: requirements.services)
    }
}

extension BlueZ.LinkOperation {
    init(_ operation: DeviceKit.LinkOperation) {
        switch operation {
        case .read(let id): self = .read(id)
        case .write(let write):
            self = .write(
                write.value, to: write.characteristic,
                write.kind == .withResponse ? .withResponse : .withoutResponse)
        case .subscribe(let id): self = .subscribe(id)
        case .unsubscribe(let id): self = .unsubscribe(id)
        }
    }
}

extension BridgeCore.LinkEvent {
    init(_ event: BlueZ.LinkEvent) {
        switch event {
        case .notification(let characteristic, let value): self = .notification(characteristic, value)
        case .lost(let reason): self = .lost(reason: reason)
        case .rssi(let value): self = .rssi(value)
        case .services(let services): self = .services(services)
        }
    }
}

extension RadioEvent {
    init(_ event: Event) {
        switch event {
        case .heard(let advertisement, let adapter): self = .heard(advertisement, adapter: adapter)
        case .forgotten(let address): self = .forgotten(address)
        case .adapterReady(let adapter): self = .adapterReady(adapter.name)
        case .adapterLost(let name, _): self = .adapterLost(name)
        case .adapterHeld(let name, let holder): self = .adapterHeld(name, by: holder.words)
        case .serviceReady: self = .serviceReady
        case .serviceLost(let reason): self = .serviceLost(reason: reason)
        }
    }
}

extension RadioDescription {
    init(_ description: Description) {
        self.init(
            version: description.version,
            adapters: description.adapters.map {
                Adapter(name: $0.name, address: $0.address, isPowered: $0.isPowered)
            })
    }
}

extension RadioError {
    init(_ error: BlueZError) {
        // What a device is does not depend on what was being done.
        self.init(Self.code(of: error.code), error.code == .inputDevice ? error.reason : error.words)
    }

    private static func code(of code: BlueZError.Code) -> Code {
        switch code {
        case .serviceAway, .noAdapter, .adapterOff, .accessDenied: .unavailable
        case .unknownDevice: .unknownDevice
        case .unreachable, .refused, .timeout, .notConnected: .unreachable
        case .inProgress: .busy
        case .pairingRequired: .pairingRequired
        case .pairingFailed: .pairingFailed
        case .wrongProfile: .wrongProfile
        case .inputDevice: .inputDevice
        case .alreadyDone, .notPermitted, .notSupported, .invalidLength, .cancelled, .failed: .failed
        }
    }
}

extension OperationError {
    init(_ error: BlueZError) { self.init(Self.code(of: error.code), error.words) }

    private static func code(of code: BlueZError.Code) -> Code {
        switch code {
        // Devices that want a bond say so as «read (or write) not permitted» too; FSLib-iOS takes them alike.
        case .pairingRequired, .pairingFailed, .notPermitted: .notPermitted
        case .notSupported: .notSupported
        case .invalidLength: .invalidLength
        case .timeout: .timeout
        case .notConnected, .serviceAway, .noAdapter, .adapterOff, .unknownDevice: .disconnected
        case .accessDenied, .unreachable, .refused, .inProgress, .alreadyDone, .wrongProfile, .inputDevice,
            .cancelled, .failed:
            .failed
        }
    }
}

extension BlueZError {
    /// What failed and why, without the code, which the port has of its own.
    fileprivate var words: String { "\(operation): \(reason)" }
}
