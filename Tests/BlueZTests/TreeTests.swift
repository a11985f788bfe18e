import Bluetooth
import DBus
import Testing

@testable import BlueZ

@Suite("The tree of BlueZ's objects")
struct TreeTests {
    static let hci: ObjectPath = "/org/bluez/hci0"
    static let path: ObjectPath = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
    static let service: ObjectPath = "/org/bluez/hci0/dev_C0_00_00_00_00_01/service0010"
    static let characteristic: ObjectPath = "/org/bluez/hci0/dev_C0_00_00_00_00_01/service0010/char0011"
    static let descriptor: ObjectPath = "/org/bluez/hci0/dev_C0_00_00_00_00_01/service0010/char0011/desc0013"

    static let deviceProperties: [String: Value] = [
        "Address": .string("C0:00:00:00:00:01"), "Alias": .string("C0-00-00-00-00-01"),
        "Adapter": .objectPath(hci), "RSSI": .int16(-60),
        "UUIDs": .strings(["0000fe51-0000-1000-8000-00805f9b34fb", "nonsense"]),
    ]

    static func full() -> ObjectTree {
        var tree = ObjectTree()
        _ = tree.add(
            hci, ["org.bluez.Adapter1": ["Powered": .bool(true)], "org.freedesktop.DBus.Properties": [:]])
        _ = tree.add(
            path, ["org.bluez.Device1": deviceProperties, "org.bluez.Battery1": ["Percentage": .byte(80)]])
        _ = tree.add(service, ["org.bluez.GattService1": ["UUID": .string("fe51")]])
        _ = tree.add(
            characteristic,
            [
                "org.bluez.GattCharacteristic1": [
                    "UUID": .string("2a19"), "Service": .objectPath(service), "MTU": .uint16(185),
                    "Flags": .strings(["read", "notify", "encrypt-read"]),
                ]
            ])
        _ = tree.add(descriptor, ["org.bluez.GattDescriptor1": ["UUID": .string("2902")]])
        return tree
    }

    @Test("A device has the values of its properties")
    func device() throws {
        let device = try #require(Self.full().devices[Self.path])
        #expect(
            device.advertisement == Advertisement(address: "C0:00:00:00:00:01", services: [0xFE51], rssi: -60)
        )
        #expect(device.adapter == Self.hci)
    }

    @Test(
        "The device's own name is used, otherwise a given alias, never the generated alias",
        arguments: [
            (["Name": "Belt", "Alias": "Mine"], "Belt"), (["Alias": "Mine"], "Mine"),
            (["Alias": "C0-00-00-00-00-01"], nil), ([:], nil),
            (["Alias": "seventeen letters"], "seventeen letters"),
        ] as [([String: String], String?)])
    func names(texts: [String: String], name: String?) {
        let properties = texts.mapValues { Value.string($0) }.merging([
            "Address": .string("C0:00:00:00:00:01")
        ]) {
            $1
        }
        #expect(Device(path: Self.path, properties: properties)?.displayName == name)
    }

    @Test("A GATT table contains the characteristics by service and UUID, with descriptors and MTU")
    func table() {
        let table = Self.full().table(of: Self.path)
        let id = CharacteristicID(service: 0xFE51, uuid: 0x2A19)
        #expect(table.properties[id] == [.read, .notify])
        #expect(table.mtu == 185)
        #expect(table.descriptors[Self.characteristic]?.map(\.uuid) == [0x2902])
    }

    @Test("A battery that only bluetoothd reads replaces the characteristic")
    func battery() {
        let properties = Self.full().table(of: Self.path).properties
        #expect(properties[CharacteristicID(service: 0x180F, uuid: 0x2A19)] == [.read, .notify])
    }

    @Test("A characteristic without its service is not yet in the table")
    func orphan() {
        var tree = Self.full()
        _ = tree.remove(Self.service, ["org.bluez.GattService1"])
        #expect(tree.table(of: Self.path).characteristics.isEmpty)
    }

    @Test("A property with a new value is a change, and an equal value is not")
    func changes() throws {
        var tree = Self.full()
        let was = try #require(tree.devices[Self.path])
        let change = tree.update(Self.path, "org.bluez.Device1", ["Connected": .bool(true)], invalidated: [])
        var now = was
        now.isConnected = true
        #expect(change == .device(was: was, now: now))
        #expect(
            tree.update(Self.path, "org.bluez.Device1", ["Connected": .bool(true)], invalidated: []) == nil)
    }

    @Test("A repeated RSSI is a change, and an invalidated one is removed")
    func rssi() throws {
        var tree = Self.full()
        let was = try #require(tree.devices[Self.path])
        #expect(
            tree.update(Self.path, "org.bluez.Device1", ["RSSI": .int16(-60)], invalidated: [])
                == .device(was: was, now: was))
        _ = tree.update(Self.path, "org.bluez.Device1", [:], invalidated: ["RSSI"])
        #expect(tree.devices[Self.path]?.rssi == nil)
        _ = tree.update(Self.path, "org.bluez.Device1", ["RSSI": .int16(127)], invalidated: [])
        #expect(tree.devices[Self.path]?.rssi == nil, "127 means not known")
    }

    @Test("Advertised data that nobody uses is dropped, and is no change")
    func unusedData() throws {
        var tree = Self.full()
        (tree.usedServices, tree.usedCompanies) = ([0xFCD2], [0x0499])
        func update(used: UInt8, unused: UInt8) -> ObjectTree.Change? {
            func data(_ entries: [(Value, UInt8)], _ key: ValueType) -> Value {
                .dictionary(
                    entries.map { .init($0, .variant(.bytes([$1]))) }, key: key, value: .variant)
            }
            return tree.update(
                Self.path, "org.bluez.Device1",
                [
                    "ManufacturerData": data([(.uint16(0x0499), used), (.uint16(0x004C), unused)], .uint16),
                    "ServiceData": data([(.string("fcd2"), used), (.string("fe9f"), unused)], .string),
                ], invalidated: [])
        }
        #expect(update(used: 1, unused: 1) != nil)
        let device = try #require(tree.devices[Self.path])
        #expect(device.manufacturerData == [0x0499: [1]] && device.serviceData == [0xFCD2: [1]])
        #expect(update(used: 1, unused: 2) == nil)
        #expect(update(used: 2, unused: 2) != nil)
    }

    @Test("A removed device removes its table, and a removed adapter its devices")
    func removal() {
        var tree = Self.full()
        #expect(tree.remove(Self.path, ["org.bluez.Device1", "org.bluez.Battery1"]).count == 2)
        #expect(tree.characteristics.isEmpty && tree.services.isEmpty && tree.descriptors.isEmpty)
        #expect(tree.batteries.isEmpty)
        tree = Self.full()
        #expect(tree.remove(Self.hci, ["org.bluez.Adapter1"]).count == 2)
        #expect(tree.devices.isEmpty && tree.adapters.isEmpty)
    }

    @Test("Signals for unknown objects and interfaces change nothing")
    func unknown() {
        var tree = Self.full()
        let before = tree
        #expect(
            tree.update("/org/bluez/hci9", "org.bluez.Adapter1", ["Powered": .bool(true)], invalidated: [])
                == nil)
        #expect(tree.update(Self.path, "org.bluez.Media1", [:], invalidated: []) == nil)
        #expect(tree.remove("/org/bluez/hci9", ["org.bluez.Adapter1", "x.y"]).isEmpty)
        #expect(tree.add("/org/bluez/x", ["org.bluez.Device1": [:]]).isEmpty)
        #expect(tree == before)
    }

    @Test("Signals from before the list of all objects cause no change")
    func replay() {
        var tree = Self.full()
        let early: [ObjectSignal] = [
            .added(Self.path, ["org.bluez.Device1": Self.deviceProperties]),
            .changed(Self.path, interface: "org.bluez.Device1", ["Connected": .bool(true)], invalidated: []),
            .changed(Self.path, interface: "org.bluez.Device1", ["Connected": .bool(false)], invalidated: []),
        ]
        for signal in early { _ = tree.apply(signal) }
        #expect(tree == Self.full())
    }

    @Test(
        "The version is read only from bluetoothd's own device record",
        arguments: [
            ("usb:v1D6Bp0246d0542", "5.66"), ("usb:v1D6Bp0246d0509", "5.09"), ("usb:v1D6Bp0246d0554", "5.84"),
            ("usb:v1234p5678dABCD", nil), ("usb:v1D6Bp0246d05", nil), ("", nil),
        ] as [(String, String?)])
    func version(modalias: String, version: String?) {
        #expect(Adapter.version(ofModalias: modalias) == version)
    }

    @Test(
        "Sockets are used automatically after the last version that can crash with them",
        arguments: [
            ("5.66", false), ("5.84", false), ("5.85", false), ("5.86", true), ("5.87", true), ("6.0", true),
            ("5.9", false), ("", false), (nil, false),
        ])
    func acquisition(version: String?, isUsed: Bool) {
        #expect(Acquisition.automatic.applies(to: version) == isUsed)
        #expect(Acquisition.always.applies(to: version) && !Acquisition.never.applies(to: version))
    }
}
