import Bluetooth
import ESPHome
import VirtualDevices

extension Proxy {
    /// ATT error codes, and ESPHome's own.
    private enum AttributeError {
        static let notConnected: Int32 = -1
        static let invalidHandle: Int32 = 1
        static let readNotPermitted: Int32 = 2
        static let writeNotPermitted: Int32 = 3
        static let insufficientAuthentication: Int32 = 5
        static let notSupported: Int32 = 6
    }

    /// The services in one message, up to about 1360 bytes in firmware.
    private static let servicesInMessage = 4

    /// Sends the services once for each connection. A further request, or one after a connection with a cache, gets
    /// the end of a list without the list.
    mutating func sendServices(of address: Address) {
        guard let link = links[address], link.state == .open else {
            return fail(address, 0, AttributeError.notConnected)
        }
        if link.kind == .connectWithoutCache, !link.areServicesSent {
            links[address]?.areServicesSent = true
            let minor = subscriber.flatMap { clients[$0]?.minor } ?? 0
            let entries = link.table.entries(mayBeShort: minor >= 12)
            for start in stride(from: 0, to: entries.count, by: Self.servicesInMessage) {
                let part = Array(entries[start...].prefix(Self.servicesInMessage))
                publish(.services(Services(address: address, services: part)))
            }
        }
        publish(.servicesDone(DeviceOnly(address: address)))
    }

    mutating func handleAttribute(_ message: Message) {
        switch message {
        case .read(let fields): read(fields.address, fields.handle)
        case .write(let fields): write(fields)
        case .readDescriptor(let fields): readDescriptor(fields)
        case .writeDescriptor(let fields): writeDescriptor(fields)
        case .notify(let fields): notify(fields)
        default: break
        }
    }

    /// The characteristic of a value's handle on an open connection; reports an error if there is none.
    private mutating func characteristic(
        _ address: Address, _ handle: UInt16
    ) -> (value: VirtualCharacteristic, device: String)? {
        guard let link = links[address], link.state == .open, let device = link.device else {
            fail(address, handle, AttributeError.notConnected)
            return nil
        }
        guard let characteristic = link.table.characteristic(handle) else {
            fail(address, handle, AttributeError.invalidHandle)
            return nil
        }
        guard link.isEncrypted || !characteristic.value.needsEncryption else {
            fail(address, handle, AttributeError.insufficientAuthentication)
            return nil
        }
        return (characteristic.value, device)
    }

    private mutating func read(_ address: Address, _ handle: UInt16) {
        guard let (value, device) = characteristic(address, handle) else { return }
        guard value.properties.contains(.read) else {
            return fail(address, handle, AttributeError.readNotPermitted)
        }
        stimulate(.read(value.id), device, request: makeRequest(address, handle))
    }

    /// Writes a value. Also a write without response is answered, when the stack has accepted it.
    private mutating func write(_ write: GATTWrite) {
        guard let (value, device) = characteristic(write.address, write.handle) else { return }
        let needed = write.withResponse ? CharacteristicProperties.write : .writeWithoutResponse
        guard value.properties.contains(needed) else {
            return fail(write.address, write.handle, AttributeError.writeNotPermitted)
        }
        // A value that is too long is cut, without an error.
        let data = Array(write.data.prefix(max(0, (links[write.address]?.mtu ?? 23) - 3)))
        stimulate(
            .write(value.id, data, withResponse: write.withResponse), device,
            request: makeRequest(write.address, write.handle))
    }

    private mutating func makeRequest(_ address: Address, _ handle: UInt16) -> Int {
        lastRequest += 1
        requests[lastRequest] = Attribute(address: address, handle: handle)
        return lastRequest
    }

    /// Sends the answer of a device.
    mutating func finish(_ request: Int, _ answer: Answer) {
        guard let attribute = requests.removeValue(forKey: request) else { return }
        switch answer {
        case .value(let data):
            publish(
                .readReply(AttributeValue(address: attribute.address, handle: attribute.handle, data: data)))
        case .written: publish(.writeReply(attribute))
        case .refused(let code): fail(attribute.address, attribute.handle, Int32(code))
        }
    }

    // MARK: Notifications

    private mutating func notify(_ request: Notify) {
        guard let (value, _) = characteristic(request.address, request.handle) else { return }
        guard !value.properties.isDisjoint(with: [.notify, .indicate]) else {
            return fail(request.address, request.handle, AttributeError.notSupported)
        }
        if request.isEnabled {
            links[request.address]?.forwarded.insert(request.handle)
        } else {
            links[request.address]?.forwarded.remove(request.handle)
        }
        publish(.notifyReply(Attribute(address: request.address, handle: request.handle)))
    }

    /// Reads a configuration descriptor, which is the only kind of descriptor of virtual devices.
    private mutating func readDescriptor(_ request: Attribute) {
        guard configuration(request.address, request.handle) != nil else { return }
        let isSubscribed = links[request.address]?.subscriptions.contains(request.handle) == true
        publish(
            .readReply(
                AttributeValue(
                    address: request.address, handle: request.handle, data: [isSubscribed ? 1 : 0, 0])))
    }

    /// Writes a configuration descriptor: the client itself subscribes at the device.
    private mutating func writeDescriptor(_ request: AttributeValue) {
        guard let (id, device) = configuration(request.address, request.handle) else { return }
        let isOn = request.data.first ?? 0 != 0
        if isOn {
            links[request.address]?.subscriptions.insert(request.handle)
        } else {
            links[request.address]?.subscriptions.remove(request.handle)
        }
        stimulate(.subscribed(id, isOn), device, request: makeRequest(request.address, request.handle))
    }

    private mutating func configuration(
        _ address: Address, _ handle: UInt16
    ) -> (CharacteristicID, device: String)? {
        guard let link = links[address], link.state == .open, let device = link.device else {
            fail(address, handle, AttributeError.notConnected)
            return nil
        }
        guard let characteristic = link.table.configuration(handle) else {
            fail(address, handle, AttributeError.invalidHandle)
            return nil
        }
        guard link.isEncrypted || !characteristic.value.needsEncryption else {
            fail(address, handle, AttributeError.insufficientAuthentication)
            return nil
        }
        return (characteristic.value.id, device)
    }

    /// Forwards a notification if the client has requested it.
    mutating func forward(_ id: CharacteristicID, _ bytes: [UInt8], of device: String) {
        guard let address = open(device), let link = links[address],
            let characteristic = link.table.characteristics.first(where: { $0.value.id == id }),
            link.forwarded.contains(characteristic.handle)
        else { return }
        publish(.notification(AttributeValue(address: address, handle: characteristic.handle, data: bytes)))
    }

    private mutating func fail(_ address: Address, _ handle: UInt16, _ error: Int32) {
        publish(.failure(GATTFailure(address: address, handle: handle, error: error)))
    }
}
