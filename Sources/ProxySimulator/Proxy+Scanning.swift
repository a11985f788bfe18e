import ESPHome
import VirtualDevices

extension Proxy {
    /// The maximum number of advertisements in a message.
    private static let batchSize = 16

    func scanner(_ state: UInt32) -> ScannerState {
        ScannerState(state: state, mode: scannerMode, configuredMode: 1)
    }

    /// Restarts the scanner in another mode.
    mutating func setScannerMode(_ mode: UInt32) {
        guard mode <= 1 else { return }
        publish(.scannerState(scanner(4)))
        publish(.scannerState(scanner(0)))
        scannerMode = mode
        resumeScanning()
    }

    /// Pauses the scanner while a connection is opened.
    mutating func pauseScanning() {
        publish(.scannerState(scanner(4)))
        publish(.scannerState(scanner(0)))
    }

    mutating func resumeScanning() {
        guard queue.isEmpty else { return }
        publish(.scannerState(scanner(1)))
        publish(.scannerState(scanner(2)))
    }

    /// Forwards one advertisement of every device in range.
    mutating func sendBatch() {
        waits.set(.batch, at: now + options.batchTime)
        guard queue.isEmpty else { return }
        let received = air.heard(at: 0).compactMap { air.peripheral($0, at: 0) }.map { device in
            RawAdvertisement(
                address: device.address, rssi: Int32(device.rssi),
                addressType: device.hasRandomAddress ? 1 : 0,
                data: AdvertisementData(device.advertisement).bytes(isActive: scannerMode == 1))
        }
        for start in stride(from: 0, to: received.count, by: Self.batchSize) {
            let batch = received[start...].prefix(Self.batchSize)
            publish(.advertisements(RawAdvertisements(advertisements: Array(batch))))
        }
    }
}
