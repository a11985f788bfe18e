import Bluetooth
import ESPHome

/// The fields of the vectors, as messages.
enum ExpectedMessages {
    static let strap: Address = "C0:FF:EE:00:BE:01"
    static let board: Address = "00:11:22:33:44:55"

    static let all = client.merging(proxy) { first, _ in first }

    private static let client: [String: Message] = [
        "hello": .hello(Hello(client: "tactile-bridge", major: 1, minor: 19)),
        "auth_old": .authentication(Authentication(password: "secret")),
        "disconnect": .disconnect(Disconnect()),
        "pong": .pingReply(NoFields()),
        "device_info": .deviceInfo(NoFields()),
        "capabilities": .capabilities(NoFields()),
        "subscribe_adverts": .subscribe(Subscribe(flags: 1)),
        "unsubscribe_adverts": .unsubscribe(NoFields()),
        "set_mode_passive": .setScannerMode(SetScannerMode()),
        "set_mode_active": .setScannerMode(SetScannerMode(mode: 1)),
        "subscribe_slots": .subscribeSlots(NoFields()),
        "connect_no_cache": .device(
            DeviceRequest(address: strap, request: 5, hasAddressType: true, addressType: 1)),
        "connect_cache_public": .device(DeviceRequest(address: board, request: 4, hasAddressType: true)),
        "disconnect_device": .device(DeviceRequest(address: strap, request: 1)),
        "pair": .device(DeviceRequest(address: strap, request: 2)),
        "unpair": .device(DeviceRequest(address: strap, request: 3)),
        "clear_cache": .device(DeviceRequest(address: strap, request: 6)),
        "get_services": .getServices(DeviceOnly(address: strap)),
        "read": .read(Attribute(address: strap, handle: 3)),
        "write_response": .write(
            GATTWrite(
                address: strap, handle: 12, withResponse: true,
                data: [0x30, 0x2E, 0x30, 0x30, 0x2C, 0x30, 0x2E, 0x30, 0x30])),
        "write_no_response": .write(GATTWrite(address: strap, handle: 12, data: [0x01])),
        "read_descriptor": .readDescriptor(Attribute(address: strap, handle: 4)),
        "notify_on": .notify(Notify(address: strap, handle: 3, isEnabled: true)),
        "cccd_notify": .writeDescriptor(AttributeValue(address: strap, handle: 4, data: [0x01, 0x00])),
        "cccd_indicate": .writeDescriptor(AttributeValue(address: strap, handle: 4, data: [0x02, 0x00])),
        "notify_off": .notify(Notify(address: strap, handle: 3)),
        "params": .setParameters(
            ConnectionParameters(address: strap, minimumInterval: 12, maximumInterval: 24, timeout: 600)),
        "set_key": .setKey(SetKey(key: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")),
    ]

    private static let proxy: [String: Message] = [
        "hello_reply": .helloReply(HelloReply(major: 1, minor: 19, server: "2026.10.0", name: "attic-proxy")),
        "auth_refused": .authenticationReply(AuthenticationReply(isInvalid: true)),
        "auth_accepted": .authenticationReply(AuthenticationReply()),
        "disconnect_reply": .disconnectReply(NoFields()),
        "disconnect_provisioning": .disconnect(Disconnect(reason: 1)),
        "ping": .ping(NoFields()),
        "device_info_reply": .deviceInfoReply(
            DeviceInfo(
                name: "attic-proxy", mac: "C0:FF:EE:00:00:01", version: "2026.10.0",
                compilationTime: "2026-10-21 10:00:00 +0000", model: "esp32dev", manufacturer: "Espressif",
                friendlyName: "Attic proxy", features: 255, bluetoothMAC: "C0:FF:EE:00:00:02",
                supportsEncryption: true)),
        "device_info_short": .deviceInfoReply(
            DeviceInfo(name: "attic-proxy", mac: "C0:FF:EE:00:00:01", version: "2026.10.0", features: 255)),
        "device_info_passive": .deviceInfoReply(
            DeviceInfo(name: "listener", mac: "C0:FF:EE:00:00:03", version: "2026.10.0", features: 97)),
        "capabilities_reply": .capabilitiesReply(
            Capabilities(proxy: ProxyCapabilities(features: 255, mac: "C0:FF:EE:00:00:02"))),
        "scanner_running_active": .scannerState(ScannerState(state: 2, mode: 1, configuredMode: 1)),
        "scanner_stopping": .scannerState(ScannerState(state: 4, configuredMode: 1)),
        "scanner_idle_passive": .scannerState(ScannerState()),
        "adverts": .advertisements(
            RawAdvertisements(advertisements: [
                RawAdvertisement(
                    address: strap, rssi: -48, addressType: 1,
                    data: [
                        0x02, 0x01, 0x06, 0x03, 0x03, 0x0D, 0x18, 0x06, 0x09, 0x73, 0x74, 0x72, 0x61, 0x70,
                    ]),
                RawAdvertisement(
                    address: board, rssi: -91,
                    data: [
                        0x02, 0x01, 0x06, 0x0A, 0x09, 0x45, 0x53, 0x50, 0x33, 0x32, 0x5F, 0x42, 0x4C, 0x45,
                    ]),
            ])),
        "advert_empty_firmware": .advertisements(
            RawAdvertisements(advertisements: [RawAdvertisement(address: strap, rssi: -60, addressType: 1)])),
        "slots_free": .slots(Slots(free: 3, limit: 3)),
        "slots_packed": .slots(Slots(free: 1, limit: 3, allocated: [strap.number, board.number])),
        "slots_unpacked": .slots(Slots(free: 1, limit: 3, allocated: [strap.number, board.number])),
        "connected": .connection(Connection(address: strap, isConnected: true, mtu: 247)),
        "no_slot": .connection(Connection(address: strap)),
        "link_timeout": .connection(Connection(address: strap, error: 8)),
        "open_failed": .connection(Connection(address: strap, error: 133)),
        "open_cancelled": .connection(Connection(address: strap, error: 256)),
        "link_not_connected": .connection(Connection(address: strap, error: -1)),
        "paired": .pairing(Pairing(address: strap, isPaired: true)),
        "pair_failed": .pairing(Pairing(address: strap, error: 97)),
        "unpaired": .unpairing(Outcome(address: strap, isSuccessful: true)),
        "cache_cleared": .cacheCleared(Outcome(address: strap, isSuccessful: true)),
        "services_long_packed": .services(
            Services(
                address: strap,
                services: [
                    ServiceEntry(
                        uuidHalves: [0x0000180D00001000, 0x800000805F9B34FB], handle: 1,
                        characteristics: [
                            CharacteristicEntry(
                                uuidHalves: [0x00002A3700001000, 0x800000805F9B34FB], handle: 3,
                                properties: 16,
                                descriptors: [
                                    DescriptorEntry(
                                        uuidHalves: [0x0000290200001000, 0x800000805F9B34FB], handle: 4)
                                ])
                        ])
                ])),
        "services_long_unpacked": .services(
            Services(
                address: strap,
                services: [
                    ServiceEntry(
                        uuidHalves: [0x0000180D00001000, 0x800000805F9B34FB], handle: 1,
                        characteristics: [
                            CharacteristicEntry(
                                uuidHalves: [0x00002A3700001000, 0x800000805F9B34FB], handle: 3,
                                properties: 16,
                                descriptors: [
                                    DescriptorEntry(
                                        uuidHalves: [0x0000290200001000, 0x800000805F9B34FB], handle: 4)
                                ])
                        ])
                ])),
        "services_short": .services(
            Services(
                address: strap,
                services: [
                    ServiceEntry(
                        uuidHalves: [], handle: 1,
                        characteristics: [
                            CharacteristicEntry(
                                uuidHalves: [], handle: 3, properties: 16,
                                descriptors: [DescriptorEntry(uuidHalves: [], handle: 4, shortUUID: 0x2902)],
                                shortUUID: 0x2A37),
                            CharacteristicEntry(uuidHalves: [], handle: 6, properties: 14, shortUUID: 0x2A39),
                        ], shortUUID: 0x180D)
                ])),
        "services_second": .services(
            Services(
                address: strap,
                services: [
                    ServiceEntry(
                        uuidHalves: [0x6E400001B5A3F393, 0xE0A9E50E24DCCA9E], handle: 10,
                        characteristics: [
                            CharacteristicEntry(
                                uuidHalves: [0x6E400002B5A3F393, 0xE0A9E50E24DCCA9E], handle: 12,
                                properties: 12)
                        ])
                ])),
        "services_done": .servicesDone(DeviceOnly(address: strap)),
        "read_reply": .readReply(AttributeValue(address: strap, handle: 3, data: [0x01, 0x02])),
        "read_reply_empty": .readReply(AttributeValue(address: strap, handle: 3)),
        "write_reply": .writeReply(Attribute(address: strap, handle: 12)),
        "notify_reply": .notifyReply(Attribute(address: strap, handle: 3)),
        "notify_data": .notification(AttributeValue(address: strap, handle: 3, data: [0x00, 0x48])),
        "notify_data_244": .notification(AttributeValue(address: strap, handle: 300, data: Array(0..<244))),
        "gatt_not_connected": .failure(GATTFailure(address: strap, handle: 3, error: -1)),
        "gatt_insufficient_auth": .failure(GATTFailure(address: strap, handle: 3, error: 5)),
        "gatt_0x85": .failure(GATTFailure(address: strap, handle: 3, error: 133)),
        "params_reply": .parametersReply(ParametersReply(address: strap)),
        "get_time": .time(NoFields()),
        "unknown_fields": .writeReply(Attribute(address: strap, handle: 12)),
    ]
}
