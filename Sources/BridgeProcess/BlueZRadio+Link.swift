public import BlueZ
public import Bluetooth
public import BridgeContract
public import DeviceKit

/// A link of BlueZ as the bridge knows it.
///
/// No characteristic is ever acquired for writing: bluetoothd would refuse the guardian's writes to it.
extension Link: DeviceLink {
    /// The object paths that the guardian writes to.
    public var place: LinkPlace { LinkPlace(device: path, characteristics: characteristicPaths) }

    /// Carries out an operation, with errors in the words of the port.
    public func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) {
        client.assumeIsolated {
            $0.perform(operation, link: number, while: isWanted) { result in
                completion(result.mapError { OperationError($0) })
            }
        }
    }
}
