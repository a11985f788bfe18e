import BlueZ
import Bluetooth
import BridgeContract
import DeviceKit

/// A link of BlueZ as the bridge knows it.
///
/// No characteristic is ever acquired for writing: bluetoothd would refuse the guardian's writes to it.
struct BlueZLink: DeviceLink {
    let place: LinkPlace
    private let link: Link

    init(_ link: Link) {
        self.link = link
        place = LinkPlace(device: link.path, characteristics: link.characteristicPaths)
    }

    var profile: LinkProfile { link.profile }

    var adapter: String { link.adapter }

    func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) {
        link.perform(operation, while: isWanted) { result in
            completion(result.mapError { OperationError($0) })
        }
    }

    func settle() async { await link.settle() }

    func disconnect() async { await link.disconnect() }

    func leave() async { await link.leave() }
}
