import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// Backups, which move a bridge to another host.
extension Bridge {
    // MARK: Backup

    var backup: JSON.Object {
        let configuration = ports.configuration.backup
        let devices = kept.state.devices.filter { $0.isJoined && settings[$0.address] == nil }.map { device in
            let session = fleet[device.address]
            var device = device
            device.name = session?.name ?? device.name
            return JSON.Value.object(
                Backup.object(device, isBonded: session.map { $0.isBoundToHost } ?? false))
        }
        let bound = fleet.all.filter(\.isBoundToHost).map(\.name).sorted()
        return [
            "backup": [
                "version": .integer(Backup.version), "bridge": .string(settings.id),
                "program": .string(settings.version), "time": .string(ports.time.date.description),
                "devices": .array(devices), "settings": .object(configuration.settings),
            ],
            "left_out": .array(configuration.leftOut.map { .string($0) }),
            "pair_again": .array(bound.map { .string($0) }),
        ]
    }
}

extension DeviceSession {
    /// Whether a new host must be paired with the device, because the bond belongs to this host. For a family that can
    /// do without a bond, this is known only while the device is connected; otherwise the value is `true`.
    var isBoundToHost: Bool {
        switch family.requirements.bonding {
        case .none: false
        case .always: true
        case .onDemand: connector.isBonded || !isReady
        }
    }
}
