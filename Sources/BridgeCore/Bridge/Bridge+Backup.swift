import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// What moves a bridge to another host.
extension Bridge {
    // MARK: Backup

    /// What another host needs.
    var backup: JSON.Object {
        let configuration = world.configuration.backup
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
                "program": .string(settings.version), "time": .string(world.time.date.description),
                "devices": .array(devices), "settings": .object(configuration.settings),
            ],
            "left_out": .array(configuration.leftOut.map { .string($0) }),
            "pair_again": .array(bound.map { .string($0) }),
        ]
    }
}

extension DeviceSession {
    /// Whether another host has to be paired with the device anew: a bond is this host's. Of a device that can do
    /// without one it is known only while there is a link.
    var isBoundToHost: Bool {
        switch family.requirements.bonding {
        case .none: false
        case .always: true
        case .onDemand: connector.isBonded || !isReady
        }
    }
}
