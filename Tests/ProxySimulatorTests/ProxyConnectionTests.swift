import Bluetooth
import ESPHome
import Testing
import VirtualDevices

@testable import ProxySimulator

@Suite("Simulated proxy: connections")
struct ProxyConnectionTests {
    private static let belt = ProxyRun.belt

    private static func scanner(_ state: UInt32) -> Message {
        .scannerState(ScannerState(state: state, mode: 1, configuredMode: 1))
    }

    private static func connection(_ error: Int32 = 0, _ address: Address = belt) -> Message {
        .connection(Connection(address: address, error: error))
    }

    private static func slots(_ addresses: [Address], limit: UInt32 = 3) -> Message {
        let free = limit - UInt32(addresses.count)
        return .slots(Slots(free: free, limit: limit, allocated: addresses.map(\.number)))
    }

    @Test("Scanning pauses while a connection is opened, and every change of the slots is reported")
    func open() {
        var run = ProxyRun()
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.connectWithoutCache, Self.belt))) == [
                Self.slots([Self.belt]), Self.scanner(4), Self.scanner(0),
            ])
        #expect(ProxyRun.messages(run.send(ProxyRun.request(.connectWithoutCache, Self.belt))) == [])
        #expect(run.pass(.milliseconds(299)) == [])
        let mtu = UInt32(run.proxy.air.world.peripheral("belt")?.mtu ?? 0)
        #expect(
            ProxyRun.messages(run.pass(.milliseconds(1))) == [
                .connection(Connection(address: Self.belt, isConnected: true, mtu: mtu)),
                Self.slots([Self.belt]), Self.scanner(1), Self.scanner(2),
            ])
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.disconnect, Self.belt))) == [
                Self.connection(0x16), Self.slots([]),
            ])
    }

    @Test("A connection with a cache is reported with an MTU of 23 and has no list of services")
    func cache() {
        var run = ProxyRun()
        let messages = run.connect(Self.belt, .connectWithCache)
        #expect(messages.contains(.connection(Connection(address: Self.belt, isConnected: true, mtu: 23))))
        let request = Message.getServices(DeviceOnly(address: Self.belt))
        #expect(ProxyRun.messages(run.send(request)) == [.servicesDone(DeviceOnly(address: Self.belt))])
    }

    @Test("The services come once, in the form that the client knows", arguments: [11, 12] as [UInt32])
    func services(minor: UInt32) throws {
        var run = ProxyRun()
        run.greet(1, minor: minor)
        run.send(.subscribe(Subscribe(flags: 1)))
        run.connect()
        let request = Message.getServices(DeviceOnly(address: Self.belt))
        let messages = ProxyRun.messages(run.send(request))
        guard case .services(let list) = try #require(messages.first) else {
            Issue.record("\(messages)")
            return
        }
        #expect(list.services.map(\.uuid) == [0xFE51, 0xFE52, 0xFE53])
        #expect(list.services.allSatisfy { ($0.shortUUID == 0) == (minor < 12) })
        #expect(messages.last == .servicesDone(DeviceOnly(address: Self.belt)))
        #expect(ProxyRun.messages(run.send(request)) == [.servicesDone(DeviceOnly(address: Self.belt))])
    }

    @Test(
        "A request for an open connection is answered without the services",
        arguments: Proxy.Firmware.allCases)
    func openAlready(_ firmware: Proxy.Firmware) {
        var run = ProxyRun(firmware)
        run.connect()
        let mtu = firmware == .v2026_6 ? 0 : UInt32(run.proxy.air.world.peripheral("belt")?.mtu ?? 0)
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.connectWithoutCache, Self.belt))) == [
                .connection(Connection(address: Self.belt, isConnected: true, mtu: mtu)),
                Self.slots([Self.belt]),
            ])
    }

    @Test("Without a free slot, or without the type of the address, a connection is refused with error 0")
    func refused() {
        var run = ProxyRun { $0.slots = 1 }
        let old = Message.device(DeviceRequest(.connectWithoutCache, Self.belt))
        #expect(ProxyRun.messages(run.send(old)) == [Self.connection()])
        run.connect()
        let other = ProxyRun.request(.connectWithoutCache, ProxyRun.tap)
        #expect(ProxyRun.messages(run.send(other)) == [Self.connection(0, ProxyRun.tap)])
    }

    @Test("One connection is opened at a time; a device that does not answer fails after 20 s")
    func queue() {
        var run = ProxyRun()
        let absent: Address = "C0:FF:EE:00:00:99"
        run.send(ProxyRun.request(.connectWithoutCache, absent))
        run.send(ProxyRun.request(.connectWithoutCache, Self.belt))
        #expect(run.pass(.milliseconds(19_999)) == [])
        #expect(
            ProxyRun.messages(run.pass(.milliseconds(1))) == [
                Self.connection(0x85, absent), Self.slots([Self.belt]),
            ])
        run.pass(.milliseconds(300))
        #expect(run.proxy.links[Self.belt]?.state == .open)
    }

    @Test("An attempt can be canceled, and an unknown address is already disconnected")
    func cancel() {
        var run = ProxyRun()
        run.send(ProxyRun.request(.connectWithoutCache, Self.belt))
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.disconnect, Self.belt))) == [
                Self.connection(0x100), Self.slots([]), Self.scanner(1), Self.scanner(2),
            ])
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.disconnect, Self.belt))) == [
                Self.connection(), Self.slots([]),
            ])
    }

    @Test("A lost connection is reported once, and twice up to 2026.6", arguments: Proxy.Firmware.allCases)
    func lost(_ firmware: Proxy.Firmware) {
        var run = ProxyRun(firmware)
        run.connect()
        let messages = ProxyRun.messages(run.line("drop belt"))
        let count = firmware == .v2026_6 ? 2 : 1
        #expect(messages == Array(repeating: Self.connection(0x08), count: count) + [Self.slots([])])
    }

    @Test("A device that moves away is lost after the supervision timeout, and not received until it is back")
    func moved() {
        var run = ProxyRun()
        run.connect()
        run.line("move belt proxy off")
        #expect(ProxyRun.messages(run.pass(.seconds(8))) == [Self.connection(0x08), Self.slots([])])
        #expect(!run.proxy.air.hears("belt", at: 0))
        run.line("move belt proxy -80")
        #expect(run.proxy.air.hears("belt", at: 0) && run.proxy.air.peripheral("belt", at: 0)?.rssi == -80)
    }

    @Test("A device out of range is lost after the supervision timeout, unless it returns")
    func supervision() {
        var run = ProxyRun()
        run.connect()
        run.line("mute belt")
        run.pass(.seconds(7))
        run.line("unmute belt")
        #expect(run.pass(.seconds(9)) == [])
        run.line("mute belt")
        #expect(ProxyRun.messages(run.pass(.seconds(8))) == [Self.connection(0x08), Self.slots([])])
    }

    @Test("Only an open TAP that accepts bonds is paired, and the bond remains until it is removed")
    func pairing() {
        var run = ProxyRun()
        let tap = ProxyRun.tap
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.pair, tap))) == [
                .pairing(Pairing(address: tap, error: -1))
            ])
        run.connect(tap)
        run.send(ProxyRun.request(.pair, tap))
        let isOpen = run.proxy.air.world.acceptsPairing("tap")
        let result = Pairing(address: tap, isPaired: isOpen, error: isOpen ? 0 : 0x61)
        #expect(ProxyRun.messages(run.pass(.milliseconds(300))).contains(.pairing(result)))
        #expect(run.proxy.bonds == (isOpen ? ["tap"] : []))
        #expect(
            ProxyRun.messages(run.send(ProxyRun.request(.unpair, tap))) == [
                .unpairing(Outcome(address: tap, isSuccessful: isOpen))
            ])
        #expect(run.proxy.bonds == [])
    }
}

@Suite("Simulated proxy: values")
struct ProxyAttributeTests {
    private static let belt = ProxyRun.belt

    private static func failure(_ handle: UInt16, _ error: Int32) -> Message {
        .failure(GATTFailure(address: belt, handle: handle, error: error))
    }

    @Test("Values are read and written, and a write without response is acknowledged, too")
    func values() throws {
        var run = ProxyRun()
        run.connect()
        let firmware = run.handle(0xFE01)
        let read = ProxyRun.messages(run.send(.read(Attribute(address: Self.belt, handle: firmware))))
        guard case .readReply(let value) = try #require(read.first) else {
            Issue.record("\(read)")
            return
        }
        #expect(value.handle == firmware && !value.data.isEmpty)
        let vibration = run.handle(0xFE03)
        var write = GATTWrite(address: Self.belt, handle: vibration, withResponse: true, data: [0])
        let reply = Message.writeReply(Attribute(address: Self.belt, handle: vibration))
        #expect(ProxyRun.messages(run.send(.write(write))).contains(reply))
        write.withResponse = false
        let expected = run.proxy.links[Self.belt]?.table.characteristic(vibration)?.value.properties
        let isAllowed = expected?.contains(.writeWithoutResponse) == true
        let answer = ProxyRun.messages(run.send(.write(write)))
        #expect(answer.contains(isAllowed ? reply : Self.failure(vibration, 3)))
    }

    @Test("Errors: not connected, unknown handle, not permitted")
    func errors() {
        var run = ProxyRun()
        func answer(_ message: Message) -> [Message] { ProxyRun.messages(run.send(message)) }
        let read = Message.read(Attribute(address: Self.belt, handle: 3))
        #expect(answer(read) == [Self.failure(3, -1)])
        #expect(answer(.getServices(DeviceOnly(address: Self.belt))) == [Self.failure(0, -1)])
        run.connect()
        #expect(answer(.read(Attribute(address: Self.belt, handle: 999))) == [Self.failure(999, 1)])
        let (vibration, firmware) = (run.handle(0xFE03), run.handle(0xFE01))
        #expect(
            answer(.read(Attribute(address: Self.belt, handle: vibration))) == [Self.failure(vibration, 2)])
        let write = GATTWrite(address: Self.belt, handle: firmware, withResponse: true, data: [1])
        #expect(answer(.write(write)) == [Self.failure(firmware, 3)])
        let notify = Notify(address: Self.belt, handle: vibration, isEnabled: true)
        #expect(answer(.notify(notify)) == [Self.failure(vibration, 6)])
        #expect(
            answer(.readDescriptor(Attribute(address: Self.belt, handle: firmware))) == [
                Self.failure(firmware, 1)
            ])
    }

    @Test("A notification needs the descriptor of the device and the request to the proxy")
    func notifications() {
        for (writesDescriptor, requests) in [(true, true), (true, false), (false, true)] {
            var run = ProxyRun()
            run.connect()
            let button = run.handle(0xFE04)
            if requests {
                let messages = ProxyRun.messages(
                    run.send(.notify(Notify(address: Self.belt, handle: button, isEnabled: true))))
                #expect(messages == [.notifyReply(Attribute(address: Self.belt, handle: button))])
            }
            if writesDescriptor {
                let value = AttributeValue(address: Self.belt, handle: button + 1, data: [1, 0])
                let messages = ProxyRun.messages(run.send(.writeDescriptor(value)))
                #expect(messages.first == .writeReply(Attribute(address: Self.belt, handle: button + 1)))
            }
            let notified = ProxyRun.messages(run.line("belt press home") + run.pass(.seconds(1))).contains {
                if case .notification(let value) = $0 { value.handle == button } else { false }
            }
            #expect(notified == (writesDescriptor && requests))
        }
    }

    @Test("A muted device answers when it is unmuted in time, in the order of the operations")
    func muted() {
        var run = ProxyRun()
        run.connect()
        let (firmware, button) = (run.handle(0xFE01), run.handle(0xFE04))
        run.line("mute belt")
        let value = AttributeValue(address: Self.belt, handle: button + 1, data: [1, 0])
        #expect(run.send(.writeDescriptor(value)) == [])
        #expect(run.send(.read(Attribute(address: Self.belt, handle: firmware))) == [])
        let messages = ProxyRun.messages(run.line("unmute belt"))
        #expect(messages.first == .writeReply(Attribute(address: Self.belt, handle: button + 1)))
        guard messages.count == 2, case .readReply(let answer) = messages[1] else {
            Issue.record("\(messages)")
            return
        }
        #expect(answer.handle == firmware)
    }

    @Test("A value longer than the MTU allows is cut without an error")
    func cut() throws {
        var run = ProxyRun()
        run.connect()
        let mtu = try #require(run.proxy.links[Self.belt]?.mtu)
        let data = [UInt8](repeating: 0xAA, count: mtu)
        let write = GATTWrite(
            address: Self.belt, handle: run.handle(0xFE05), withResponse: true, data: data)
        let outputs = run.proxy.received(.write(write), from: 1, at: run.now)
        let written = outputs.compactMap { output -> [UInt8]? in
            guard case .report(let report) = output, case .write(_, let bytes) = report.event else {
                return nil
            }
            return bytes
        }
        #expect(written == [Array(data.prefix(mtu - 3))])
    }
}
