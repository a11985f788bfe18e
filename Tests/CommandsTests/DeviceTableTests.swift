import BlueZ
import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceCatalog
import DeviceKit
import Testing

@testable import BridgeConfiguration
@testable import Commands

@Suite("The output of devices and scan")
struct DeviceTableTests {
    private static let belt: Bluetooth.Address = "C0:FF:EE:00:BE:01"
    private static let tap: Bluetooth.Address = "C0:FF:EE:00:BE:02"
    private static let phone: Bluetooth.Address = "C0:FF:EE:00:00:07"

    private static func device(
        _ address: Bluetooth.Address, _ name: String? = nil, rssi: Int? = nil, isConnected: Bool = false,
        services: Set<Bluetooth.UUID> = []
    ) -> KnownDevice {
        KnownDevice(
            advertisement: Advertisement(
                address: address, name: name, services: services, rssi: rssi, isConnected: isConnected),
            adapter: "hci0", battery: nil)
    }

    private static let state = BridgeState(devices: [
        .init(address: tap, family: "tap", name: "tap/left"),
        .init(address: phone, family: "belt", name: "belt/held", isUserDisconnected: true),
    ])

    @Test("The bridge's devices are first, with the host's data")
    func rows() {
        let book = DeviceBook(
            configured: [.init(name: "belt", family: "belt", address: Self.belt)], state: Self.state,
            onlyConfigured: false, families: Registry.families)
        let rows = book.rows([
            Self.device("00:00:00:00:00:01", "Loud", rssi: -20),
            Self.device("00:00:00:00:00:02", "naviGuertel", rssi: -30, services: [0xFE51]),
            Self.device(Self.tap, isConnected: true),
        ])
        #expect(rows.map(\.name) == ["belt", "belt/held", "tap/left", nil, nil])
        #expect(rows.map(\.standing) == [.configured, .released, .joined, nil, nil])
        #expect(rows.map(\.link) == [.unknown, .unknown, .connected, .near, .near])
        #expect(rows.map(\.family) == ["belt", "belt", "tap", "belt", nil])
    }

    @Test("With only configured devices, a device that once joined is unknown")
    func onlyConfigured() {
        let book = DeviceBook(
            configured: [], state: Self.state, onlyConfigured: true, families: Registry.families)
        #expect(book.entries.isEmpty)
    }

    @Test("A row for programs has null for unknown values")
    func json() {
        let row = DeviceRow(Self.device(Self.belt, "b\u{1B}", rssi: -52), nil, Registry.families)
        #expect(
            row.line
                == #"{"address":"C0:FF:EE:00:BE:01","name":null,"family":null,"families":[],"bridge":null,"link":"near","rssi":-52,"#
                + #""battery":null,"paired":false,"adapter":"hci0","bluetooth_name":"b\u001b"}"#)
    }

    @Test("A name with control characters is shown without them")
    func hostile() {
        let lines = [DeviceRow(Self.device(Self.belt, "x\u{1B}[2J\r\nroot"), nil, Registry.families)].table
        #expect(lines.count == 2)
        #expect(!lines[1].unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("Devices stay listed after they fall silent; recognized ones are first, then strong signals")
    func nearby() {
        var nearby = Nearby()
        nearby.take([
            Self.device(Self.phone, rssi: -20),
            Self.device(Self.belt, "naviGuertel", rssi: -70, services: [0xFE51]),
            Self.device(Self.tap),
        ])
        nearby.take([Self.device(Self.phone, "Late"), Self.device(Self.belt, services: [0xFE51])])
        let rows = nearby.rows(
            DeviceBook(
                configured: [], state: BridgeState(), onlyConfigured: false, families: Registry.families))
        #expect(rows.map(\.address) == [Self.belt, Self.phone])
        #expect(rows.map(\.rssi) == [-70, -20])
        #expect(rows.map(\.title) == ["naviGuertel", "Late"])
    }

    // MARK: Joining

    private static func advice(_ environment: [String: String], _ rows: [DeviceRow]) throws -> [String] {
        let host = Host(environment: environment, name: "attic")
        let loader = SettingsLoader(families: Registry.families, host: host, usualFile: "/nonexistent")
        return JoinAdvice(settings: try loader.load().settings, file: nil).lines(rows)
    }

    private static let new = [
        DeviceRow(device(belt, "naviGuertel", rssi: -50, services: [0xFE51]), nil, Registry.families)
    ]

    @Test("The printed command uses the configured broker and the device's address")
    func permit() throws {
        #expect(
            try Self.advice([:], Self.new)[1]
                == "  mosquitto_pub -t bridge/attic/request/permit_join -m "
                + #"'{"seconds":60,"address":"C0:FF:EE:00:BE:01"}'"#)
        let far = try Self.advice(
            [
                "TACTILE_BRIDGE_MQTT_HOST": "b.example", "TACTILE_BRIDGE_MQTT_TLS_ENABLED": "true",
                "TACTILE_BRIDGE_MQTT_USERNAME": "anna", "TACTILE_BRIDGE_MQTT_BASE_TOPIC": "home",
            ], Self.new)
        #expect(
            far[1].hasPrefix("  mosquitto_pub -h b.example -p 8883 --tls-use-os-certs -u anna -P PASSWORD"))
        #expect(far[1].contains("-t home/bridge/attic/request/permit_join"))
    }

    @Test(
        "If only configured devices may join, the configuration lines are shown; if all may join, nothing is shown"
    )
    func policies() throws {
        let configured = try Self.advice(["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"], Self.new)
        #expect(configured[1] == #"  NAME: { family: belt, address: "C0:FF:EE:00:BE:01" }"#)
        #expect(try Self.advice(["TACTILE_BRIDGE_BLUETOOTH_JOIN": "always"], Self.new).count == 1)
        #expect(try Self.advice([:], []).first?.hasPrefix("No device") == true)
    }

    @Test("A device without a matching family has the advice to probe it, even if known devices are in range")
    func unknown() throws {
        let unknown = DeviceRow(Self.device(Self.phone, "Thing", rssi: -40), nil, Registry.families)
        for rows in [[unknown], Self.new + [unknown]] {
            #expect(try Self.advice([:], rows).suffix(1) == ["  tactile-bridge probe \(Self.phone)"])
        }
    }

    @Test("A device with several matching families is listed with all of them")
    func candidates() {
        var twin = SampleFamily()
        (twin.name, twin.rank) = ("Tap_Lamp", MatchRank(.exactName))
        let row = DeviceRow(
            Self.device(Self.phone, "Tap_Lamp", rssi: -40), nil, Registry.families + [twin])
        #expect(row.families == ["Tap_Lamp", "tap"])
        #expect([row].nearby[1].hasPrefix("Tap_Lamp, tap  "))
    }

    @Test(
        "A device of the bridge has all matching families in a scan, and its own family in the table")
    func candidatesOfKnown() {
        var twin = SampleFamily()
        (twin.name, twin.rank) = ("Tap_Lamp", MatchRank(.exactName))
        let book = DeviceBook(
            configured: [.init(name: "lamp", family: "lamp", address: Self.phone)], state: BridgeState(),
            onlyConfigured: false)
        let row = DeviceRow(
            Self.device(Self.phone, "Tap_Lamp", rssi: -40), book.entries[Self.phone],
            Registry.families + [twin])
        #expect(row.families == ["lamp", "Tap_Lamp", "tap"])
        #expect([row].table[1].hasPrefix("lamp  lamp    "))
    }

    @Test("Printed commands read the same configuration")
    func keeping() {
        #expect("tactile-bridge probe X".keeping(configuration: nil) == "tactile-bridge probe X")
        for (text, kept) in [
            ("  tactile-bridge probe X", "  tactile-bridge probe --config 'a b.yaml' X"),
            (
                "sudoedit x, then: tactile-bridge check-config",
                "sudoedit x, then: tactile-bridge check-config --config 'a b.yaml'"
            ),
            (
                "tactile-bridge check-config --template   # all",
                "tactile-bridge check-config --template   # all"
            ),
            ("tactile-bridge check-device FILE", "tactile-bridge check-device FILE"),
        ] {
            #expect(text.keeping(configuration: "a b.yaml") == kept)
        }
    }

    // MARK: The terminal

    @Test("A frame starts in the corner, clears the previous content, and fits")
    func frame() {
        #expect(Screen.frame(["abc", "d"], rows: 5, columns: 2) == "\u{1B}[Hab\u{1B}[K\r\nd\u{1B}[K\u{1B}[J")
        let many = Screen.frame(["1", "2", "3", "4"], rows: 3, columns: 80)
        #expect(many == "\u{1B}[H1\u{1B}[K\r\n2\u{1B}[K\r\n… 2 more lines\u{1B}[K\u{1B}[J")
    }
}
