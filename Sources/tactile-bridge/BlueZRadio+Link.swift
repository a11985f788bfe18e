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

    func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) {
        Task {
            do throws(BlueZError) {
                completion(.success(try await perform(operation, while: isWanted)))
            } catch {
                completion(.failure(OperationError(error)))
            }
        }
    }

    private func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool
    ) async throws(BlueZError) -> [UInt8] {
        switch operation {
        case .read(let id): return try await link.read(id)
        case .write(let write):
            let kind: WriteKind = write.kind == .withResponse ? .withResponse : .withoutResponse
            try await link.write(write.value, to: write.characteristic, kind, while: isWanted)
        case .subscribe(let id): try await link.subscribe(id)
        case .unsubscribe(let id): try await link.unsubscribe(id)
        }
        return []
    }

    func settle() async { await link.settle() }

    func disconnect() async { await link.disconnect() }

    func leave() async { await link.leave() }
}
