import Bluetooth
import BridgeContract
import DeviceKit
import ProxySimulator
import Testing
import VirtualDevices

@testable import ProxyClient
@testable import ProxyRadio

@Suite("Radio over a proxy: links", .serialized, .timeLimit(.minutes(1)))
struct ProxyLinkTests {
    private static let belt = ProxyScope.belt
    private static let (firmware, keepAlive, button) = (
        LinkRequirements.firmware, LinkRequirements.keepAlive, LinkRequirements.button
    )

    private static func write(
        _ value: UInt8, _ kind: Write.Kind = .withResponse, _ priority: Write.Priority = .normal
    ) -> LinkOperation {
        .write(Write(keepAlive, [value], kind, priority: priority))
    }

    @Test("A belt is connected, read, written and observed, and disconnected", arguments: [true, false])
    func link(isEncrypted: Bool) async throws {
        try await withProxy {
            $0.isEncrypted = isEncrypted
            $0.change(0) { $0.model = .belt(.writable) }
        } _: { scope in
            try await scope.ready()
            let events = Journal<LinkEvent>()
            let link = try await scope.connect(Self.belt, .belt, events)
            #expect(link.profile.isOverProxy && link.profile.mtu == 247 && !link.profile.isPaired)
            #expect(Set(link.profile.characteristics.keys) == [Self.firmware, Self.keepAlive, Self.button])
            #expect(link.profile.characteristics[Self.button] == .notify)
            #expect(link.profile.services.contains(0xFE51) && link.profile.name == "naviGuertel-sim")
            #expect(link.adapter == ProxyScope.adapter && link.place.isOverProxy)
            #expect(link.place == LinkPlace(proxy: ProxyScope.adapter, address: Self.belt))
            #expect(await scope.radio.knowledge == (2, true))
            #expect(await scope.connectError()?.code == .busy)

            let radio = scope.radio
            #expect(try await radio.perform(.read(Self.firmware), on: link)?.get() == [0x34, 0, 0])
            #expect(await radio.perform(.subscribe(Self.button), on: link) == .success([]))
            await scope.server.perform(line: "belt press home")
            try await events.next {
                if case .notification(Self.button, _) = $0 { true } else { false }
            }
            #expect(await radio.perform(.unsubscribe(Self.button), on: link) == .success([]))
            for kind in [Write.Kind.withResponse, .withoutResponse] {
                #expect(await radio.perform(Self.write(7, kind), on: link) == .success([]))
                try await scope.reports.next { $0.event == .write(Self.keepAlive, [7]) }
            }
            let unknown = CharacteristicID(service: 0xFE51, uuid: 0xFE03)
            #expect(Self.code(await radio.perform(.read(unknown), on: link)) == .notSupported)
            #expect(Self.code(await radio.perform(.subscribe(Self.firmware), on: link)) == .notSupported)

            await link.disconnect()
            try await scope.reports.next { $0.event == .link(false) }
            try await events.next(.lost(reason: "disconnected by this bridge"))
            while await scope.radio.knowledge != (3, false) { await Task.yield() }
            #expect(Self.code(await radio.perform(.read(Self.firmware), on: link)) == .disconnected)
            _ = try await scope.connect()
        }
    }

    private static func code(_ result: Result<[UInt8], OperationError>?) -> OperationError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test("A stop overtakes what waits and drops the waiting writes; an urgent write waits only for the stop")
    func stop() async throws {
        try await withProxy {
            $0.change(0) { $0.faults = [.init(.slow(.milliseconds(100)), characteristic: 0xFE02)] }
        } _: { scope in
            try await scope.ready()
            let link = try await scope.connect()
            let results = await scope.radio.perform(
                [
                    Self.write(1), Self.write(2), .read(Self.firmware), Self.write(3, .withResponse, .ahead),
                    Self.write(4, .withResponse, .stop), Self.write(5),
                ], on: link)
            #expect(results.map(Self.code) == [nil, .failed, nil, nil, nil, nil])
            // The reports precede the results.
            var written: [UInt8] = []
            for _ in 1...4 {
                let report = try await scope.reports.next {
                    if case .write(Self.keepAlive, _) = $0.event { true } else { false }
                }
                if case .write(_, let value) = report.event { written += value }
            }
            #expect(written == [1, 4, 3, 5])
        }
    }

    @Test("A write that is no longer needed is not sent")
    func unwanted() async throws {
        try await withProxy { scope in
            try await scope.ready()
            let link = try await scope.connect()
            let results = await scope.radio.perform([Self.write(1)], on: link) { false }
            #expect(results.map(Self.code) == [.failed])
            #expect(await scope.radio.perform(Self.write(2), on: link) == .success([]))
            let first = try await scope.reports.next {
                if case .write = $0.event { true } else { false }
            }
            #expect(first.event == .write(Self.keepAlive, [2]))
        }
    }

    @Test("While an acknowledgment is late, nothing more is sent, and waiting operations fail")
    func stall() async throws {
        try await withProxy {
            $0.limits.stall = .milliseconds(200)
            $0.limits.acknowledgment = .seconds(20)
            $0.change(0) {
                $0.faults = [.init(.slow(.milliseconds(1000)), characteristic: 0xFE02, times: 1)]
            }
        } _: { scope in
            try await scope.ready()
            let link = try await scope.connect()
            let late = Task { await scope.radio.perform(Self.write(1), on: link) }
            try await scope.reports.next { $0.event == .write(Self.keepAlive, [1]) }
            // The first operation waits until the stall, the second is refused at once.
            let waiting = await scope.radio.perform(Self.write(2), on: link)
            let refused = await scope.radio.perform(Self.write(3, .withResponse, .stop), on: link)
            #expect([waiting, refused].map(Self.code) == [.timeout, .timeout])
            #expect(await late.value == .success([]))
            #expect(await scope.radio.perform(Self.write(4), on: link) == .success([]))
            let next = try await scope.reports.next {
                if case .write = $0.event { true } else { false }
            }
            #expect(next.event == .write(Self.keepAlive, [4]))
        }
    }

    @Test("A link without an acknowledgment is closed, and its operations fail")
    func acknowledgment() async throws {
        try await withProxy {
            $0.limits.stall = .milliseconds(100)
            $0.limits.acknowledgment = .milliseconds(300)
            $0.change(0) { $0.faults = [.init(.slow(.seconds(600)), characteristic: 0xFE02)] }
        } _: { scope in
            try await scope.ready()
            let events = Journal<LinkEvent>()
            let link = try await scope.connect(Self.belt, .belt, events)
            let results = await scope.radio.perform([Self.write(1), Self.write(2)], on: link)
            #expect(results.map(Self.code) == [.disconnected, .timeout])
            try await events.next(.lost(reason: "the device did not answer in time"))
            try await scope.reports.next { $0.event == .link(false) }
        }
    }

    @Test("The end of a link is reported once, with its reason", arguments: Proxy.Firmware.allCases)
    func lost(_ firmware: Proxy.Firmware) async throws {
        try await withProxy {
            $0.options.firmware = firmware
        } _: { scope in
            try await scope.ready()
            let events = Journal<LinkEvent>()
            _ = try await scope.connect(Self.belt, .belt, events)
            await scope.server.perform(line: "drop belt")
            try await events.next(.lost(reason: "out of range: the link timed out"))
            let link = try await scope.connect(Self.belt, .belt, events)
            await link.disconnect()
            try await events.next(.lost(reason: "disconnected by this bridge"))
            let losses = await events.seen.count { if case .lost = $0 { true } else { false } }
            #expect(losses == 2)
        }
    }

    // MARK: Attempts

    @Test("A device that may not use a proxy is never connected")
    func denied() async throws {
        try await withProxy { scope in
            try await scope.ready()
            var requirements = LinkRequirements(required: [Self.firmware])
            #expect(await scope.connectError(Self.belt, requirements)?.code == .proxyOnly)
            requirements.mayUseProxy = true
            requirements.isSafetyCritical = true
            #expect(await scope.connectError(ProxyScope.robot, requirements)?.code == .proxyOnly)
            await #expect(throws: RadioError.self) {
                try await scope.radio.pair(ProxyScope.robot, requirements: requirements)
            }
            #expect(await scope.reports.seen.isEmpty)
            #expect(await scope.radio.knowledge.freeSlots == 3)
        }
    }

    @Test("A device without the required characteristics, or that does not advertise, is not connected")
    func wrongDevice() async throws {
        try await withProxy { scope in
            try await scope.ready()
            let foreign = CharacteristicID(service: 0xFE51, uuid: 0x1234)
            var requirements = LinkRequirements(required: [foreign], mayUseProxy: true)
            let error = await scope.connectError(Self.belt, requirements)
            #expect(error == RadioError(.wrongProfile, "the device lacks the characteristics 1234"))
            try await scope.reports.next { $0.event == .link(false) }
            #expect(await scope.connectError("00:00:00:00:00:05")?.code == .unknownDevice)
            // The device has the substitutes.
            requirements.substitutes = [Self.firmware]
            requirements.optional = [Self.button]
            let link = try await scope.connect(Self.belt, requirements)
            #expect(Set(link.profile.characteristics.keys) == [Self.firmware, Self.button])
        }
    }

    @Test("Without a free slot, no further device is connected")
    func slots() async throws {
        try await withProxy {
            $0.options.slots = 1
        } _: { scope in
            try await scope.ready()
            let requirements = LinkRequirements(required: [LinkRequirements.name], mayUseProxy: true)
            let link = try await scope.connect()
            #expect(await scope.radio.knowledge.freeSlots == 0)
            #expect(await scope.connectError(ProxyScope.tap, requirements)?.code == .noSlot)
            await link.disconnect()
            // The proxy reports the free slot after the end of the link.
            for _ in 0..<1000 where await scope.radio.knowledge.freeSlots == 0 {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(await scope.radio.knowledge.freeSlots == 1)
            _ = try await scope.connect(ProxyScope.tap, requirements)
        }
    }

    @Test("Attempts run one at a time, and the attempt at a device that another host has can be withdrawn")
    func turns() async throws {
        try await withProxy { scope in
            try await scope.ready()
            // The belt still counts as received, but does not answer.
            await scope.server.perform(line: "mute belt")
            async let first = scope.connectError()
            while await scope.radio.knowledge.freeSlots == 3 { await Task.yield() }
            let requirements = LinkRequirements(required: [LinkRequirements.name], mayUseProxy: true)
            async let second = scope.connectError(ProxyScope.tap, requirements)
            while await scope.radio.attempts < 2 { await Task.yield() }
            #expect(await scope.radio.knowledge.freeSlots == 2)
            await scope.radio.cancel(Self.belt)
            #expect(
                await first == RadioError(.unreachable, "another host is connected to the device"))
            #expect(await second == nil)
            // Without a new advertisement there is no further attempt.
            #expect(await scope.connectError()?.code == .unknownDevice)
        }
    }
}

extension VirtualBelt.Choices {
    fileprivate static var writable: Self {
        var choices = Self()
        choices.offersWriteWithoutResponse = true
        return choices
    }
}
