import Bluetooth
import DeviceKit
import ESPHome
import ProxyClient

/// The GATT table of a device behind a proxy: the handles of its characteristics. Pure.
struct ProxyProfile: Hashable, Sendable {
    /// A characteristic that the family uses.
    struct Characteristic: Hashable, Sendable {
        let handle: UInt16
        let properties: CharacteristicProperties
        /// The handle of the client characteristic configuration; nil if there is none.
        let configuration: UInt16?
    }

    /// Client Characteristic Configuration (Assigned Numbers, 3.7).
    private static let configuration: UUID = 0x2902

    private(set) var characteristics: [CharacteristicID: Characteristic] = [:]
    /// The UUIDs of all services.
    private(set) var services: Set<UUID> = []
    private var ids: [UInt16: CharacteristicID] = [:]

    init() {}

    /// Creates a profile with the characteristics that a family uses. If a device has a characteristic twice, the first
    /// is used.
    init(_ entries: [ServiceEntry], for requirements: LinkRequirements) {
        let wanted = Set(requirements.required + requirements.substitutes + requirements.optional)
        for entry in entries {
            guard let service = entry.uuid else { continue }
            services.insert(service)
            for characteristic in entry.characteristics {
                guard let uuid = characteristic.uuid else { continue }
                let id = CharacteristicID(service: service, uuid: uuid)
                guard wanted.contains(id), characteristics[id] == nil else { continue }
                ids[characteristic.handle] = id
                characteristics[id] = Characteristic(
                    handle: characteristic.handle,
                    properties: CharacteristicProperties(
                        rawValue: UInt8(truncatingIfNeeded: characteristic.properties)),
                    configuration: characteristic.descriptors.first { $0.uuid == Self.configuration }?.handle)
            }
        }
    }

    /// The characteristic whose value has a handle; nil if the family does not use it.
    func id(of handle: UInt16) -> CharacteristicID? { ids[handle] }

    /// The required characteristics that the device lacks; none if it has all characteristics that may replace them.
    func lacking(_ requirements: LinkRequirements) -> [CharacteristicID] {
        let substitutes = requirements.substitutes
        let hasSubstitutes = !substitutes.isEmpty && substitutes.allSatisfy { characteristics[$0] != nil }
        return hasSubstitutes ? [] : requirements.required.filter { characteristics[$0] == nil }
    }

    /// Translates an operation to the protocol.
    func request(
        _ operation: LinkOperation
    ) throws(OperationError) -> (operation: ProxySession.Operation, handle: UInt16) {
        guard let found = characteristics[operation.characteristic] else {
            throw OperationError(.notSupported, "the device has no such characteristic")
        }
        switch operation {
        case .read: return (.read, found.handle)
        case .write(let write):
            return (.write(write.value, withResponse: write.kind == .withResponse), found.handle)
        case .subscribe, .unsubscribe:
            guard !found.properties.isDisjoint(with: [.notify, .indicate]) else {
                throw OperationError(.notSupported, "the characteristic has no notifications")
            }
            let isOn = if case .subscribe = operation { true } else { false }
            let isIndication = !found.properties.contains(.notify)
            return (
                .notify(isOn, descriptor: found.configuration, isIndication: isIndication), found.handle
            )
        }
    }
}
