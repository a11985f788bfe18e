import BlueZ
import Bluetooth
import BridgeCore
import DeviceKit

/// A link of BlueZ as the bridge knows it.
///
/// No characteristic is ever acquired for writing: bluetoothd would refuse the guardian's writes to it.
struct BlueZLink: DeviceLink {
    let profile: LinkProfile
    let place: LinkPlace
    private let link: Link

    init(_ link: Link) {
        self.link = link
        profile = LinkProfile(
            characteristics: link.characteristics, mtu: link.mtu, isPaired: link.isPaired, name: link.name,
            services: link.services)
        place = LinkPlace(device: link.path, characteristics: link.characteristicPaths)
    }

    var adapter: String { link.adapter }

    func read(_ characteristic: CharacteristicID) async throws(OperationError) -> [UInt8] {
        do throws(BlueZError) {
            return try await link.read(characteristic)
        } catch {
            throw OperationError(error)
        }
    }

    func write(
        _ value: [UInt8], to characteristic: CharacteristicID, _ kind: Write.Kind,
        while isWanted: @escaping @Sendable () -> Bool
    ) async throws(OperationError) {
        do throws(BlueZError) {
            try await link.write(
                value, to: characteristic, kind == .withResponse ? .withResponse : .withoutResponse,
                while: isWanted)
        } catch {
            throw OperationError(error)
        }
    }

    func subscribe(_ characteristic: CharacteristicID) async throws(OperationError) {
        do throws(BlueZError) {
            try await link.subscribe(characteristic)
        } catch {
            throw OperationError(error)
        }
    }

    func unsubscribe(_ characteristic: CharacteristicID) async throws(OperationError) {
        do throws(BlueZError) {
            try await link.unsubscribe(characteristic)
        } catch {
            throw OperationError(error)
        }
    }

    func settle() async { await link.settle() }

    func disconnect() async { await link.disconnect() }

    func leave() async { await link.leave() }
}
