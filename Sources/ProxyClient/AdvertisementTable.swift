package import Bluetooth
package import ESPHome

/// The devices that a proxy receives, with the latest data of each device.
///
/// The data of an advertisement and of its scan response may arrive in different packets, so they are merged.
package struct AdvertisementTable: Sendable {
    /// The maximum number of devices. A further device replaces the device that was received least recently.
    static let maximumDevices = 1024

    private struct Device: Sendable {
        var addressType: UInt32 = 0
        var data = AdvertisedData()
        /// The number of the latest packet.
        var latest: UInt64 = 0
    }

    private var devices: [Address: Device] = [:]
    private var lastPacket: UInt64 = 0

    /// Creates an empty table.
    package init() {}

    /// The number of devices.
    var count: Int { devices.count }

    /// The type of a device's address, with which it is connected: 0 public, 1 random; nil if it was not received.
    package func addressType(of address: Address) -> UInt32? { devices[address]?.addressType }

    /// Adds a packet, and returns everything that is known about its device.
    package mutating func add(_ packet: RawAdvertisement) -> Advertisement {
        if devices[packet.address] == nil, devices.count >= Self.maximumDevices,
            let oldest = devices.min(by: { $0.value.latest < $1.value.latest })
        {
            devices[oldest.key] = nil
        }
        lastPacket += 1
        var device = devices[packet.address] ?? Device()
        device.addressType = packet.addressType
        device.latest = lastPacket
        device.data.add(packet.data)
        devices[packet.address] = device
        return Advertisement(
            address: packet.address, name: device.data.name, services: device.data.services,
            manufacturerData: device.data.manufacturerData, serviceData: device.data.serviceData,
            rssi: Int(packet.rssi))
    }
}
