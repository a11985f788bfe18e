public import BlueZ
public import Bluetooth
public import BridgeContract
public import DeviceKit

/// Implements the bridge's link with a link of BlueZ.
///
/// No characteristic is acquired for writing, because bluetoothd would then reject the guardian's writes to it.
extension Link: DeviceLink {
    /// The object paths that the guardian writes to.
    public var place: LinkPlace { LinkPlace(device: path, characteristics: characteristicPaths) }

    /// Carries out an operation, with the errors of the port.
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
