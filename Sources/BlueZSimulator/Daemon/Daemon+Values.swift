import Bluetooth
import DBus
import VirtualDevices

extension Daemon {
    /// The maximum length of an attribute value, in bytes (Core Specification, Vol 3, Part F, 3.2.9).
    private static let longestValue = 512

    /// Reads a characteristic. Simultaneous identical reads share one answer.
    mutating func read(_ call: Call, _ key: DeviceKey, _ index: Int) {
        guard let record = devices[key] else { return }
        guard record.isConnected else { return fail(call, BlueZError.noLink) }
        guard let offset = Self.offset(call.options(0)) else {
            return fail(call, BlueZError.invalidArguments)
        }
        if !record.characteristics[index].reads.isEmpty {
            guard record.characteristics[index].readOffset == offset else {
                return fail(call, BlueZError.inProgress)
            }
            devices[key]?.characteristics[index].reads.append(call.number)
            return
        }
        devices[key]?.characteristics[index].reads = [call.number]
        devices[key]?.characteristics[index].readOffset = offset
        if !holdBack(.read(index), key, index) { sendRead(key, index) }
    }

    mutating func sendRead(_ key: DeviceKey, _ index: Int) {
        guard let characteristic = devices[key]?.table?.characteristics[index] else { return }
        guard characteristic.properties.contains(.read), !characteristic.isForeign else {
            return finishRead(key, index, .failure(BlueZError.att(0x02)))
        }
        let number = makeNumber()
        requests[number] = .read(key, index)
        stimulate(.read(characteristic.id), of: key.name, request: number)
    }

    /// Handles a device's answer.
    mutating func finish(_ number: Int, _ answer: VirtualDevices.Answer) {
        guard let request = requests.removeValue(forKey: number) else { return }
        switch (request, answer) {
        case (.read(let key, let index), .value(let bytes)): finishRead(key, index, .success(bytes))
        case (.read(let key, let index), .refused(let code)):
            finishRead(key, index, .failure(BlueZError.att(code)))
        case (.write(let key, let index), .refused(let code)): finishWrite(key, index, BlueZError.att(code))
        case (.write(let key, let index), _): finishWrite(key, index, nil)
        case (.battery(let key), .value(let bytes)): if let level = bytes.first { setBattery(level, of: key) }
        case (.read, .written), (.battery, _): break
        }
    }

    /// Answers all callers of a read. The value is also signaled.
    mutating func finishRead(_ key: DeviceKey, _ index: Int, _ result: Result<[UInt8], DBusError>) {
        guard let record = devices[key] else { return }
        let (calls, offset) = (record.characteristics[index].reads, record.characteristics[index].readOffset)
        devices[key]?.characteristics[index].reads = []
        if case .success(let bytes) = result { setValue(bytes, key, index) }
        for call in calls {
            switch result {
            case .success(let bytes) where offset <= bytes.count:
                outputs.append(.reply(call, [.bytes(Array(bytes[offset...]))]))
            case .success: outputs.append(.failure(call, BlueZError.att(0x07)))
            case .failure(let error): outputs.append(.failure(call, error))
            }
        }
    }

    /// Writes a characteristic, with or without response, depending on the client's options and the characteristic's
    /// properties.
    mutating func write(_ call: Call, _ key: DeviceKey, _ index: Int) {
        guard let record = devices[key], let table = record.table else { return }
        guard record.isConnected else { return fail(call, BlueZError.noLink) }
        let state = record.characteristics[index]
        guard state.writeChannel == nil else { return fail(call, BlueZError.notPermitted("Write acquired")) }
        guard state.write == nil else { return fail(call, BlueZError.inProgress) }
        let options = call.options(1)
        guard let bytes = call.arguments.first?.bytes, let offset = Self.offset(options) else {
            return fail(call, BlueZError.invalidArguments)
        }
        let characteristic = table.characteristics[index]
        switch options["type"]?.string {
        case nil where characteristic.properties.contains(.write), "request", "reliable":
            guard offset + bytes.count <= Self.longestValue else { return fail(call, BlueZError.att(0x0D)) }
            guard !characteristic.isForeign else { return fail(call, BlueZError.att(0x03)) }
            devices[key]?.characteristics[index].write = call.number
            if !holdBack(.write(index, call: call.number, bytes), key, index) { sendWrite(bytes, key, index) }
        case nil where characteristic.properties.contains(.writeWithoutResponse), "command":
            guard offset == 0, bytes.count <= Int(record.mtu) - 3 else {
                return fail(call, BlueZError.failed("Failed to initiate write"))
            }
            outputs.append(.reply(call.number, []))
            command(bytes, key, index)
        default: fail(call, BlueZError.notSupported)
        }
    }

    mutating func sendWrite(_ bytes: [UInt8], _ key: DeviceKey, _ index: Int) {
        guard let characteristic = devices[key]?.table?.characteristics[index] else { return }
        let number = makeNumber()
        requests[number] = .write(key, index)
        stimulate(
            .write(characteristic.id, bytes, withResponse: true), of: key.name, request: number)
    }

    /// Sends a write without response to the device. The device drops the write if the required encryption is absent.
    mutating func command(_ bytes: [UInt8], _ key: DeviceKey, _ index: Int) {
        guard let record = devices[key], record.isConnected,
            let characteristic = record.table?.characteristics[index], !characteristic.isForeign,
            record.isEncrypted || !characteristic.needsEncryption
        else { return }
        stimulate(
            .write(characteristic.id, bytes, withResponse: false), of: key.name, request: makeNumber())
    }

    private mutating func finishWrite(_ key: DeviceKey, _ index: Int, _ error: DBusError?) {
        guard let call = devices[key]?.characteristics[index].write else { return }
        devices[key]?.characteristics[index].write = nil
        outputs.append(error.map { .failure(call, $0) } ?? .reply(call, []))
    }

    /// Stores and signals a value, even if it is unchanged.
    mutating func setValue(_ bytes: [UInt8], _ key: DeviceKey, _ index: Int) {
        devices[key]?.characteristics[index].value = bytes
        guard let path = devices[key]?.table?.characteristics[index].path else { return }
        outputs.append(.changed(path, BlueZName.characteristic, [.init("Value", .bytes(bytes))]))
    }

    /// Answers a call for a configuration descriptor. A client can read the descriptor; only `StartNotify` writes it.
    mutating func configure(_ call: Call, _ key: DeviceKey, _ index: Int) -> Result<[Value], DBusError> {
        guard let record = devices[key], record.isConnected,
            let characteristic = record.table?.characteristics[index], let path = characteristic.configuration
        else { return .failure(BlueZError.noLink) }
        guard call.member == "ReadValue" else { return .failure(BlueZError.att(0x03)) }
        guard let offset = Self.offset(call.options(0)) else { return .failure(BlueZError.invalidArguments) }
        let bit: UInt8 = characteristic.properties.contains(.notify) ? 1 : 2
        let bytes: [UInt8] = [record.characteristics[index].isWanted ? bit : 0, 0]
        guard offset <= bytes.count else { return .failure(BlueZError.att(0x07)) }
        outputs.append(.changed(path, BlueZName.descriptor, [.init("Value", .bytes(bytes))]))
        return .success([.bytes(Array(bytes[offset...]))])
    }

    mutating func fail(_ call: Call, _ error: DBusError) { outputs.append(.failure(call.number, error)) }

    /// The offset in the options; nil if it has the wrong type.
    private static func offset(_ options: [String: Value]) -> Int? {
        switch options["offset"] {
        case nil: 0
        case .uint16(let offset): Int(offset)
        default: nil
        }
    }
}
