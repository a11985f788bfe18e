import Bluetooth
import VirtualDevices

/// A device with one characteristic of each kind that a server handles differently.
struct TestDevice: VirtualDevice {
    static let service: UUID = "5ba10000-7e57-4bed-a000-0123456789ab"
    static let value = CharacteristicID(service: service, uuid: "5ba10001-7e57-4bed-a000-0123456789ab")
    static let echo = CharacteristicID(service: service, uuid: "5ba10002-7e57-4bed-a000-0123456789ab")
    static let secret = CharacteristicID(service: service, uuid: "5ba10003-7e57-4bed-a000-0123456789ab")
    static let battery = CharacteristicID(service: 0x180F, uuid: 0x2A19)

    var isInput = false
    /// Whether the device has an additional service, as after a firmware update.
    var isGrown = false
    var acceptsPairing = true
    var stimuli: [Stimulus] = []
    var advertisement = VirtualAdvertisement(name: "Tester", services: [service])

    var services: [VirtualService] {
        let own = VirtualService(
            Self.service,
            [
                VirtualCharacteristic(Self.value, [.read, .notify]),
                VirtualCharacteristic(Self.echo, [.writeWithoutResponse, .write, .notify]),
                VirtualCharacteristic(Self.secret, [.read, .write, .notify], needsEncryption: true),
            ])
        let battery = VirtualService(0x180F, [VirtualCharacteristic(Self.battery, [.read, .notify])])
        let input = VirtualService(
            0x1812, isClaimed: true,
            [VirtualCharacteristic(CharacteristicID(service: 0x1812, uuid: 0x2A4D), [.read, .notify])])
        let more = VirtualService(
            "5ba20000-7e57-4bed-a000-0123456789ab",
            [
                VirtualCharacteristic(
                    CharacteristicID(
                        service: "5ba20000-7e57-4bed-a000-0123456789ab",
                        uuid: "5ba20001-7e57-4bed-a000-0123456789ab"), [.read])
            ])
        return [own, battery] + (isInput ? [input] : []) + (isGrown ? [more] : [])
    }

    mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        stimuli.append(stimulus)
        switch stimulus {
        case .poweredOn: reactions.append(.advertise(true))
        case .read(Self.battery): reactions.append(.value([80]))
        case .read: reactions.append(.value([1, 2, 3]))
        case .write(Self.echo, let bytes, _):
            reactions += [.written, .notify(Self.echo, bytes)]
        case .write: reactions.append(.refused(0x80))
        case .act(let words) where words.first == "level":
            reactions.append(.notify(Self.battery, [words.last.flatMap { UInt8($0) } ?? 0]))
        case .act(["leave"]): reactions.append(.disconnect)
        case .act(["grow"]): isGrown = true
        case .act(["rename"]):
            advertisement.name = "Renamed"
            reactions.append(.advertise(true))
        case .act(["brand"]):
            advertisement.manufacturerData = [0x59: [2, 7], 0x4C: []]
            reactions.append(.advertise(true))
        case .act(let words): reactions.append(.misunderstood(words.joined(separator: " ")))
        default: break
        }
    }
}
