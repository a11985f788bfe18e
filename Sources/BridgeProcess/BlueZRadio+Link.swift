public import BlueZ
public import Bluetooth
public import BridgeContract
public import DeviceKit

/// Implements the port `DeviceLink` of the bridge with a link of the module `BlueZ`.
///
/// No characteristic is acquired for writing (`AcquireWrite`), because bluetoothd would then reject the guardian's
/// writes to the characteristic.
extension Link: DeviceLink {
    /// The D-Bus object paths of the device and its characteristics, which the guardian needs for its writes.
    public var place: LinkPlace { LinkPlace(device: path, characteristics: characteristicPaths) }

    /// Carries out an operation. Errors of BlueZ are converted to ``OperationError``.
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
