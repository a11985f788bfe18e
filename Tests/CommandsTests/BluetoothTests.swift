import BlueZ
import Bluetooth
import BridgeContract
import DBus
import EventLoop
import Glibc
import HostTesting
import Testing

@testable import BridgeConfiguration
@testable import Commands

@Suite("doctor checks the bus, BlueZ and the adapters")
struct BluetoothTests {
    private static func bus(
        _ connection: BusFacts.Connection = .open, _ answer: BusFacts.Answer = .nobody,
        isInstalled: Bool = true,
        kernelAdapters: [String]? = ["hci0"]
    ) -> BusFacts {
        BusFacts(
            bus: "system", user: "anna", connection: connection, answer: answer, isInstalled: isInstalled,
            kernelAdapters: kernelAdapters)
    }

    @Test(
        "An unreachable bus is reported by its error",
        arguments: [
            ("org.freedesktop.DBus.Error.FileNotFound", "there is no D-Bus", "apt install dbus"),
            (DBusError.Name.noServer, "cannot be reached", "systemctl start dbus"),
            (DBusError.Name.accessDenied, "rejects anna", "ls -l /run/dbus/system_bus_socket"),
            (DBusError.Name.badAddress, "is not the address of a bus", "correct bluetooth.bus"),
            (DBusError.Name.noReply, "does not answer", "systemctl status dbus"),
        ])
    func unreached(_ name: String, _ words: String, _ remedy: String) throws {
        let findings = Self.bus(.failed(name: name, message: "m")).findings
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.check == .bus && finding.verdict == .problem && finding.summary.contains(words))
        #expect(finding.remedies.contains { $0.contains(remedy) })
    }

    @Test("BlueZ missing on the bus is reported with the reason")
    func nobody() throws {
        func finding(_ facts: BusFacts) throws -> Finding { try #require(facts.findings.last) }
        let missing = try finding(Self.bus(isInstalled: false))
        #expect(missing.verdict == .problem && missing.remedies == ["sudo apt install bluez"])
        let noKernel = try finding(Self.bus(kernelAdapters: nil))
        #expect(noKernel.verdict == .problem && noKernel.summary.contains("the kernel has no Bluetooth"))
        let stopped = try finding(Self.bus())
        #expect(stopped.summary == "bluetoothd is not running")
        #expect(stopped.remedies[0] == "sudo systemctl enable --now bluetooth")
    }

    @Test("A bus that denies access is distinguished from a service that fails")
    func denied() throws {
        let denied = try #require(Self.bus(.open, .denied("Rejected send message")).findings.last)
        #expect(denied.verdict == .problem && denied.summary.contains("does not let anna use it"))
        #expect(denied.remedies[0].hasPrefix("sudo adduser anna bluetooth"))
        let failed = try #require(Self.bus(.open, .failed("No answer arrived in time")).findings.last)
        #expect(failed.verdict == .problem && failed.remedies[0] == "sudo systemctl restart bluetooth")
    }

    @Test(
        "A real bus is tested with a service, without one, and with denied access",
        arguments: [nil, "org.bluez"])
    func realBus(_ forbidden: String?) async throws {
        let bus = try PrivateBus(policy: forbidden.map(PrivateBus.policy))
        let loop = try EventLoop.start(name: "doctor")
        var settings = BluetoothSettings()
        settings.bus = bus.address.description
        try await withTaskExecutorPreference(loop) {
            let probe = BusProbe(settings: settings)
            #expect(try await probe.facts(on: loop).answer == .nobody)
            let service = try await Connection.open(bus.address, loop: loop)
            #expect(try await service.requestName("org.bluez") == .primaryOwner)
            let answer = try await probe.facts(on: loop).answer
            switch answer {
            case .denied: #expect(forbidden != nil)
            // The service has the name, but no objects.
            case .failed: #expect(forbidden == nil)
            case .nobody, .objects: Issue.record("\(answer)")
            }
            await service.close()
        }
        bus.stop()
        let gone = try await withTaskExecutorPreference(loop) {
            try await BusProbe(settings: settings).facts(on: loop)
        }
        #expect(gone.findings.first?.check == .bus)
        #expect(gone.findings.first?.verdict == .problem)
        loop.stop()
    }

    @Test(
        "Versions are reported with their bugs",
        arguments: [
            ("5.66", false, 0, ""), ("5.66", true, 1, "acquired"), ("5.64", false, 1, "notifications"),
            ("5.75", false, 1, "input device"), ("5.75", true, 2, "acquired"), ("5.86", true, 0, ""),
            ("5.87", false, 2, "removed"), ("5.9", false, 0, ""), ("unheard of", false, 0, ""),
        ])
    func versions(_ version: String, _ acquires: Bool, _ count: Int, _ word: String) {
        let findings = BlueZFacts(version: version, acquires: acquires).findings
        #expect(findings.first?.verdict == .ok)
        #expect(findings.dropFirst().allSatisfy { $0.verdict == .warning && !$0.remedies.isEmpty })
        #expect(findings.count == count + 1)
        #expect(count == 0 || findings.contains { $0.summary.contains(word) })
    }

    @Test("5.9 is older than 5.10")
    func order() throws {
        let versions = ["5.9", "5.10", "5", "5.x"].map { BlueZ.Version($0) }
        let expected = [BlueZ.Version(5, 9), BlueZ.Version(5, 10), nil, nil]
        #expect(versions == expected)
        #expect([versions[1], versions[0]].compactMap { $0 }.sorted() == versions.compactMap { $0 })
    }

    @Test("BlueZ's objects contain the version, the capabilities, and the subscriptions of programs")
    func objects() throws {
        func object(_ path: ObjectPath, _ interface: String, _ properties: [String: Value]) -> Value.Entry {
            Value.Entry(
                .objectPath(path),
                .dictionary(
                    [Value.Entry(.string(interface), .properties(properties))], key: .string,
                    value: .dictionary(.string, .variant)))
        }
        let device = "/org/bluez/hci0/dev_C0_FF_EE_00_BE_01"
        let objects = Value.dictionary(
            [
                object(
                    "/org/bluez/hci0", "org.bluez.Adapter1",
                    [
                        "Powered": .bool(true), "Roles": .strings(["central"]),
                        "Modalias": .string("usb:v1D6Bp0246d0542"),
                    ]),
                object(
                    "/org/bluez/hci1", "org.bluez.Adapter1", ["Powered": .bool(true), "Roles": .strings([])]),
                object("/org/bluez/hci2", "org.bluez.Adapter1", ["Powered": .bool(false)]),
                object(
                    try ObjectPath(device), "org.bluez.Device1",
                    ["Address": .string("C0:FF:EE:00:BE:01"), "Connected": .bool(true), "Name": .string("n")]),
                object(
                    try ObjectPath("\(device)/service0001"), "org.bluez.GattService1",
                    ["UUID": .string("fe51")]),
                object(
                    try ObjectPath("\(device)/service0001/char0002"), "org.bluez.GattCharacteristic1",
                    ["UUID": .string("fe02"), "Notifying": .bool(true)]),
            ], key: .objectPath,
            value: .dictionary(.string, .dictionary(.string, .variant)))
        let facts = BlueZFacts(managedObjects: objects)
        #expect(facts.version == "5.66")
        #expect(facts.controllers.map(\.isLowEnergy) == [true, false, nil])
        #expect(facts.controllers.map(\.isPowered) == [true, true, false])
        #expect(facts.linked.map(\.isSubscribed) == [true])
    }

    // MARK: Radio

    private static func controller(_ name: String, on: Bool = true, lowEnergy: Bool? = true)
        -> BlueZFacts.Controller
    {
        BlueZFacts.Controller(name: name, isPowered: on, isLowEnergy: lowEnergy)
    }

    @Test("An adapter in use is fine; a problem of another adapter is a warning")
    func adapters() {
        var facts = RadioFacts(switches: [], kernelAdapters: ["hci0"], controllers: [Self.controller("hci0")])
        #expect(facts.findings.map(\.verdict) == [.ok, .ok])
        facts.controllers?.append(Self.controller("hci1", on: false))
        #expect(facts.findings.map(\.verdict) == [.ok, .ok, .warning])
        facts.wanted = ["hci1"]
        #expect(facts.findings.last?.verdict == .problem)
        #expect(facts.findings.last?.remedies[0] == "bluetoothctl power on")
        facts.wanted = ["hci7"]
        #expect(facts.findings.last?.summary == "bluetooth.adapters names hci7, which does not exist")
        facts.controllers?[1].address = "00:1A:7D:DA:71:13"
        facts.wanted = ["00:1a:7d:da:71:13"]
        #expect(facts.findings.last?.summary == "hci1 is switched off")
        facts.wanted = ["00:1A:7D:DA:71:14"]
        #expect(
            facts.findings.last?.summary == "bluetooth.adapters names 00:1A:7D:DA:71:14, which does not exist"
        )
        facts.wanted = []
        facts.controllers = [Self.controller("hci0", lowEnergy: false)]
        #expect(facts.findings.last?.verdict == .problem)
        #expect(facts.findings.last?.summary.contains("Low Energy") == true)
    }

    @Test("The user of an adapter is reported; for another bridge, with a remedy")
    func holder() {
        var facts = RadioFacts(switches: [], kernelAdapters: ["hci0"], controllers: [Self.controller("hci0")])
        facts.bridge = "attic"
        facts.controllers?[0].holder = AdapterHolder(
            connection: ":1.7", process: 12, user: "u", bridge: "attic")
        #expect(facts.findings.last?.verdict == .ok)
        #expect(facts.findings.last?.summary == "hci0 is in use by bridge attic (process 12, user u, :1.7)")
        facts.controllers?[0].holder?.bridge = "cellar"
        #expect(facts.findings.last?.verdict == .warning)
        #expect(facts.findings.last?.remedies.last?.contains("bluetooth.adapters") == true)
        facts.controllers?[0].holder?.isGuardian = true
        #expect(facts.findings.last?.summary.contains("by the guardian of bridge cellar (") == true)
        facts.wanted = ["hci1"]
        #expect(!facts.findings.contains { $0.summary.contains("in use") })
    }

    @Test("Without an adapter, the kernel's state determines the remedy")
    func noAdapter() {
        var facts = RadioFacts(switches: [], kernelAdapters: nil, controllers: [])
        #expect(facts.findings.last?.summary == "there is no Bluetooth adapter")
        facts.kernelAdapters = ["hci0"]
        #expect(facts.findings.last?.remedies[0] == "sudo systemctl restart bluetooth")
        facts.controllers = nil
        #expect(facts.findings.last?.verdict == .ok)
        facts.kernelAdapters = nil
        #expect(facts.findings.last?.verdict == .problem)
    }

    @Test("Radio switches are parsed in the kernel's form, and reported by how they can be changed")
    func switches() throws {
        let folder = try TemporaryDirectory()
        let files = [
            "rfkill0/type": "wlan", "rfkill0/soft": "1", "rfkill1/type": "bluetooth", "rfkill1/name": "hci0",
            "rfkill1/soft": "1", "rfkill1/hard": "0", "rfkill2/type": "bluetooth",
            "rfkill2/name": "asus-bluetooth",
            "rfkill2/soft": "0", "rfkill2/hard": "1",
        ]
        for path in [
            "class/rfkill/rfkill0", "class/rfkill/rfkill1", "class/rfkill/rfkill2", "class/bluetooth/hci0",
        ] {
            try TestProcess.run(["mkdir", "-p", folder.file("sys/\(path)")])
        }
        for (path, text) in files { try folder.write(text + "\n", to: "sys/class/rfkill/\(path)") }
        let probe = HostProbe(root: folder.path)
        #expect(probe.kernelAdapters == ["hci0"])
        let facts = RadioFacts(
            switches: probe.switches, kernelAdapters: probe.kernelAdapters,
            controllers: [Self.controller("hci0", on: false)])
        let radio = facts.findings.filter { $0.check == .radio }
        #expect(radio.map(\.verdict) == [.problem, .problem])
        #expect(radio[0].remedies == ["sudo rfkill unblock bluetooth"])
        #expect(radio[1].summary.contains("asus-bluetooth"))
        #expect(HostProbe(root: folder.file("none")).switches == nil)
    }

    // MARK: Subscribers

    @Test(
        "Another subscriber is reported only if it cannot be the bridge",
        arguments: [(true as Bool?, Finding.Verdict.ok), (nil, .ok), (false, .warning)])
    func listeners(_ isOnline: Bool?, _ verdict: Finding.Verdict) {
        let device = LinkFacts.Device(name: "belt", isSubscribed: true)
        #expect(LinkFacts(devices: [device], isBridgeOnline: isOnline).findings.map(\.verdict) == [verdict])
        let silent = LinkFacts.Device(name: "belt", isSubscribed: false)
        #expect(LinkFacts(devices: [silent], isBridgeOnline: isOnline).findings.map(\.verdict) == [.ok])
        #expect(LinkFacts(devices: [], isBridgeOnline: isOnline).findings.isEmpty)
    }
}
