import Bluetooth
import DBus
import Testing

@testable import BlueZ

@Suite("Parts of the client, without a bus")
struct PartTests {
    private static let signal = ObjectSignal.removed("/org/bluez/hci0", [])

    @Test("bluetoothd is ready once its objects are loaded, including signals received during loading")
    func service() {
        var service = ServiceState(awayReason: "no bus")
        service.keep(Self.signal)
        #expect(service.owner == nil && service.awayReason == "no bus" && service.loaded().isEmpty)
        service.appeared(":1.5")
        service.setAwayReason("busy")
        #expect(service.owner == ":1.5" && service.awayReason == "busy" && !service.isServing)
        service.keep(Self.signal)
        #expect(service.loaded() == [Self.signal])
        #expect(service.isServing && service.owner == ":1.5" && service.life == 0)
        service.left("gone")
        #expect(service.owner == nil && service.awayReason == "gone" && service.life == 1)
    }

    private static func adapter(_ name: String, isPowered: Bool = true) -> Adapter {
        Adapter(path: ObjectPath("/org/bluez").appending(name), properties: ["Powered": .bool(isPowered)])
    }

    @Test("An adapter is usable if it is allowed, leased and on, and each change is reported once")
    func adapters() {
        var settings = Settings(adapters: ["hci0", "hci7"])
        settings.leases = LeaseSettings(bridge: "attic")
        var table = AdapterTable(settings)
        #expect(
            Settings(adapters: ["02:b1:7e:00:00:00"]).names(
                Adapter(path: "/org/bluez/hci3", properties: ["Address": .string("02:B1:7E:00:00:00")])))
        let (on, off, other) = (
            Self.adapter("hci0"), Self.adapter("hci0", isPowered: false), Self.adapter("hci1")
        )
        table.update([on, other])
        #expect(table.usable.isEmpty && table.updateReadiness(of: on.path, now: on) == nil)
        table.update([on, other], leased: ["hci0", "hci1"])
        #expect(table.usable == [on.path] && !table.isWanted(other))
        #expect(table.updateReadiness(of: on.path, now: on) == .ready)
        #expect(table.updateReadiness(of: on.path, now: on) == nil)
        #expect(table.updateReadiness(of: on.path, now: off) == .lost(reason: "the adapter was switched off"))
        #expect(table.updateReadiness(of: on.path, now: on) == .ready)
        #expect(table.updateReadiness(of: on.path, now: nil) == .lost(reason: "the adapter was removed"))
        #expect(table.updateReadiness(of: on.path, now: on) == .ready)
        table.update([on, other], leased: [])
        #expect(table.updateReadiness(of: on.path, now: on) == .taken)
        #expect(table.updateAbsent(among: [on]) == ["hci7"])
        #expect(table.updateAbsent(among: [on]) == nil)
        #expect(table.updateAbsent(among: [] as [Adapter]) == ["hci0"])
        #expect(table.absent == ["hci0", "hci7"])
        #expect(table.updateAbsent(among: nil as [Adapter]?) == [])
        table.update([on], leased: ["hci0"])
        _ = table.updateReadiness(of: on.path, now: on)
        #expect(table.serviceLost() == [on.path])
        #expect(table.usable.isEmpty && table.ready.isEmpty)
    }

    @Test("Leases of new and removed adapters are examined in order")
    func leases() {
        var table = LeaseTable()
        func due() -> [String] { Array(sequence(state: ()) { _ in table.nextDue() }) }
        table.update(wanted: ["b", "a"])
        #expect(due() == ["a", "b"])
        table.update(wanted: ["b", "c"])
        #expect(due() == ["a", "c"])
        #expect(table["a"] != nil, "until it is given back")
        #expect(table.isNews("denied") && !table.isNews("denied"))
        table.examine("b")
        table.lose()
        #expect(due().isEmpty && table["b"] == nil)
    }

    @Test("A device is fresh for a time after its advertisement, unless it was missed since")
    func freshness() {
        var gate = AdvertisementGate()
        let address: Bluetooth.Address = "C0:00:00:00:00:01"
        var advertisement = Advertisement(address: address, rssi: -60)
        _ = gate.admits(advertisement, adapter: "hci0", at: .seconds(10))
        advertisement.rssi = nil
        _ = gate.admits(advertisement, adapter: "hci0", at: .seconds(20))
        #expect(gate.isFresh(address, .seconds(15), at: .seconds(25)))
        #expect(!gate.isFresh(address, .seconds(15), at: .seconds(26)))
        gate.tellAgain(address)
        #expect(gate.isFresh(address, .seconds(15), at: .seconds(25)))
        gate.missed(address)
        #expect(!gate.isFresh(address, .seconds(15), at: .seconds(25)))
    }
}
