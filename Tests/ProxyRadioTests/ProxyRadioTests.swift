import Bluetooth
import BridgeContract
import ESPHome
import Glibc
import HostTesting
import Logging
import Testing
import VirtualDevices

@testable import ProxyClient
@testable import ProxyRadio
@testable import ProxySimulator

@Suite("Radio over a proxy: session", .serialized, .timeLimit(.minutes(1)))
struct ProxyRadioTests {
    private static let belt = ProxyScope.belt
    private static let adapter = ProxyScope.adapter

    @Test(
        "A proxy becomes an adapter that reports devices", arguments: Proxy.Firmware.allCases, [true, false])
    func ready(_ firmware: Proxy.Firmware, isEncrypted: Bool) async throws {
        try await withProxy {
            $0.options.firmware = firmware
            $0.isEncrypted = isEncrypted
            $0.mac = "C0:FF:EE:00:00:01"
        } _: { scope in
            try await scope.events.next(.adapterReady(Self.adapter))
            let belt = try await scope.heard(Self.belt)
            #expect(belt.name == "naviGuertel-sim" && belt.rssi == -52)
            #expect(!belt.isConnected && !belt.isPaired)
            let adapter = try await scope.adapter()
            #expect(adapter.name == Self.adapter && adapter.isPowered && adapter.problem == nil)
            #expect(adapter.address == "C0:FF:EE:00:00:01")
            #expect(adapter.slots == .init(free: 3, limit: 3))
            #expect(await scope.radio.knowledge.freeSlots == 3)
            // Only changes of the signal strength are limited, so a device is reported once at first.
            #expect(await scope.events.seen.count { $0 == .adapterReady(Self.adapter) } == 1)
            #expect(scope.log.count(.info, "the Bluetooth proxy is ready") == 1)
        }
    }

    @Test("A later listener receives the known state before the call returns")
    func knownState() async throws {
        try await withProxy { scope in
            try await scope.ready()
            let later = Journal<RadioEvent>()
            await scope.radio.listen(later)
            try await later.next(.adapterReady(Self.adapter))
            let event = try await later.next { _ in true }
            guard case .heard(let advertisement, Self.adapter) = event else {
                Issue.record("\(event)")
                return
            }
            #expect(advertisement.isCached)
        }
    }

    @Test("A wrong key is reported with the remedy, and is not logged")
    func wrongKey() async throws {
        try await withProxy {
            $0.hasWrongKey = true
        } _: { scope in
            await scope.log.wait(for: "the Bluetooth proxy cannot be used")
            let problem = try #require(try await scope.adapter().problem)
            #expect(problem.contains("the key is wrong") && problem.contains("bluetooth.proxies"))
            #expect(try await !scope.adapter().isPowered)
            #expect(scope.log.count(.warning, "the key is wrong") == 1)
            #expect(await scope.connectError()?.code == .unavailable)
            let key = try #require(await scope.radio.settings.key)
            #expect(!scope.log.all.contains(key.base64))
        }
    }

    @Test("Another node at the address is not used")
    func otherNode() async throws {
        try await withProxy {
            $0.mac = "C0:FF:EE:00:00:02"
        } _: { scope in
            await scope.log.wait(for: "the Bluetooth proxy cannot be used")
            let problem = try #require(try await scope.adapter().problem)
            #expect(problem.contains("C0:FF:EE:00:00:01 instead of C0:FF:EE:00:00:02"))
        }
    }

    @Test("A proxy that cannot be reached is reported with the system's reason")
    func unreachable() async throws {
        try await withProxy { scope in
            try await scope.ready()
            await scope.server.stop()
            try await scope.events.next(.adapterLost(Self.adapter))
            await scope.log.wait(for: "no TCP connection")
            let problem = try #require(try await scope.adapter().problem)
            #expect(problem.contains("127.0.0.1:\(scope.port) (Connection refused)"))
        }
    }

    @Test("After a restart of the proxy, the radio is ready again and connects the device again")
    func reboot() async throws {
        try await withProxy {
            $0.options.restartDelay = .milliseconds(50)
            $0.options.bootTime = .milliseconds(200)
            $0.limits.firstRetry = .milliseconds(50)
        } _: { scope in
            try await scope.ready()
            let link = Journal<LinkEvent>()
            _ = try await scope.connect(Self.belt, .belt, link)
            await scope.server.perform(line: "proxy reboot")
            try await link.next(.lost(reason: "the proxy can no longer be used"))
            try await scope.events.next(.adapterLost(Self.adapter))
            try await scope.ready()
            _ = try await scope.connect()
        }
    }

    @Test("Without Wi-Fi, the links end after the silence, and the proxy is ready again afterwards")
    func wifi() async throws {
        try await withProxy {
            $0.limits.pingAfter = .milliseconds(300)
            $0.limits.silence = .seconds(1)
            $0.limits.firstRetry = .milliseconds(50)
        } _: { scope in
            try await scope.ready()
            let link = Journal<LinkEvent>()
            _ = try await scope.connect(Self.belt, .belt, link)
            await scope.server.perform(line: "proxy wifi off")
            try await link.next(.lost(reason: "the proxy can no longer be used"))
            try await scope.events.next(.adapterLost(Self.adapter))
            #expect(try await scope.adapter().problem?.contains("does not answer") == true)
            #expect(await scope.connectError()?.code == .unavailable)
            await scope.server.perform(line: "proxy wifi on")
            try await scope.ready()
            _ = try await scope.connect()
        }
    }

    @Test("From 2026.7, a second client takes the proxy: the links end, and the first client does not return")
    func displaced() async throws {
        try await withProxy {
            $0.limits.check = .milliseconds(400)
            $0.limits.subscription = .milliseconds(400)
        } _: { scope in
            try await scope.ready()
            let link = Journal<LinkEvent>()
            _ = try await scope.connect(Self.belt, .belt, link)
            try await scope.withOther { other in
                try await other.next(.adapterReady(Self.adapter))
                try await link.next(.lost(reason: "the proxy can no longer be used"))
                try await scope.events.next(.adapterHeld(Self.adapter, by: ProxyRadio.otherClient))
                let problem = try await scope.adapter().problem
                #expect(problem?.contains("has replaced this bridge") == true)
                #expect(await scope.connectError()?.code == .unavailable)
            }
            // The place is free now, but only a restart may take it.
            let events = await scope.events.seen
            #expect(events.count { $0 == .adapterReady(Self.adapter) } == 1)
            #expect(scope.log.count(.warning, "has replaced this bridge") == 1)
        }
    }

    @Test("A shared proxy is used only with permission, and names the bridge that uses it")
    func shared() async throws {
        try await withProxy {
            $0.isShared = true
        } _: { scope in
            try await scope.events.next(.adapterLost(Self.adapter))
            #expect(try await scope.adapter().sharing == .waiting)
            await scope.radio.share(heldBy: "attic")
            try await scope.events.next(.adapterHeld(Self.adapter, by: "bridge attic"))
            let problem = try await scope.adapter().problem
            #expect(problem?.hasPrefix("the bridge attic uses the proxy") == true)
            #expect(await scope.connectError()?.code == .unavailable)
            #expect(scope.log.count(.warning, "cannot be used") == 0)
            await scope.radio.share(heldBy: nil)
            try await scope.ready()
            #expect(try await scope.adapter().sharing == .used)
            // A bridge that uses the proxy does not leave it.
            await scope.radio.share(heldBy: "attic")
            #expect(try await scope.adapter().problem == nil)
        }
    }

    @Test("Up to 2026.6, the first client keeps the proxy, and the second reports it")
    func refused() async throws {
        try await withProxy {
            $0.options.firmware = .v2026_6
            $0.limits.subscription = .milliseconds(400)
        } _: { scope in
            try await scope.ready()
            _ = try await scope.connect()
            try await scope.withOther { other in
                try await other.next(.adapterHeld(Self.adapter, by: ProxyRadio.otherClient))
            }
            #expect(await scope.radio.knowledge.isConnected)
            #expect(await scope.events.seen.contains(.adapterLost(Self.adapter)) == false)
        }
    }

    @Test("At the end, the links are closed, and then the session")
    func end() async throws {
        let (link, events) = (Journal<LinkEvent>(), Journal<RadioEvent>())
        let reports = Journal<VirtualDevices.Report>()
        try await withProxy {
            $0.reports = reports
        } _: { scope in
            try await scope.ready()
            await scope.radio.listen(events)
            _ = try await scope.connect(Self.belt, .belt, link)
        }
        try await link.next(.lost(reason: "disconnected by this bridge"))
        try await events.next(.adapterLost(Self.adapter))
        try await reports.next { $0.event == .link(false) }
    }

    @Test("A child process does not keep the connection: the proxy disconnects devices at once")
    func child() async throws {
        try await withProxy { scope in
            try await scope.ready()
            _ = try await scope.connect()
            let child = try TestProcess(["sleep", "60"])
            // Closes the socket without a message, like the end of the process.
            await scope.radio.close()
            try await scope.reports.next { $0.event == .link(false) }
            child.send(SIGKILL)
        }
    }
}
