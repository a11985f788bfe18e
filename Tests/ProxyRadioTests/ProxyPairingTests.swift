import Bluetooth
import BridgeContract
import DeviceKit
import ProxySimulator
import Testing
import VirtualDevices

@testable import ProxyClient
@testable import ProxyRadio

@Suite("Radio over a proxy: bonds", .serialized, .timeLimit(.minutes(1)))
struct ProxyPairingTests {
    private static let tap = ProxyScope.tap

    @Test("A TAP bonds before its first use, and the proxy keeps the bond until it is removed")
    func bond() async throws {
        try await withProxy {
            $0.change(1) { $0.model = .tap(.protected(.anytime)) }
        } _: { scope in
            try await scope.ready(Self.tap)
            let radio = scope.radio
            #expect(await !radio.knowsBond)
            var requirements = LinkRequirements.tap
            requirements.bonding = .onDemand
            let stranger = try await scope.connect(Self.tap, requirements)
            #expect(!stranger.profile.isPaired)
            let refusal = await radio.perform(.read(LinkRequirements.name), on: stranger)
            guard case .failure(let error) = refusal else {
                Issue.record("a device without a bond has answered")
                return
            }
            #expect(error.code == .notPermitted)
            // The open link is used.
            try await radio.pair(Self.tap, requirements: requirements)
            #expect(await radio.perform(.read(LinkRequirements.name), on: stranger)?.isSuccess == true)
            await stranger.disconnect()
            #expect(await radio.knowsBond)
            let paired = try await scope.events.next {
                if case .heard(let device, _) = $0 {
                    device.address == Self.tap && device.isPaired
                } else {
                    false
                }
            }
            #expect(paired != .adapterLost(ProxyScope.adapter))

            let link = try await scope.connect(Self.tap, .tap)
            #expect(link.profile.isPaired)
            try await radio.forget(Self.tap)
            #expect(await !radio.knowsBond)
            try await scope.ready(afterForgetting: Self.tap)
            let again = try await scope.connect(Self.tap, requirements)
            #expect(await radio.perform(.read(LinkRequirements.name), on: again)?.isSuccess == false)
        }
    }

    @Test("A device is connected for pairing, and a restarted bridge is bonded at once")
    func pair() async throws {
        try await withProxy {
            $0.change(1) { $0.model = .tap(.protected(.anytime)) }
        } _: { scope in
            try await scope.ready(Self.tap)
            try await scope.radio.pair(Self.tap, requirements: .tap)
            #expect(await scope.radio.knowsBond)
            try await scope.reports.next { $0.event == .link(false) }
            // A radio that does not know the bond, like after a restart.
            await scope.radio.forgetBonds()
            let link = try await scope.connect(Self.tap, .tap)
            #expect(link.profile.isPaired)
            #expect(
                await scope.radio.perform(.read(LinkRequirements.name), on: link)?.isSuccess == true)
        }
    }

    @Test("A refused bond is reported, and the link is closed")
    func refused() async throws {
        try await withProxy {
            $0.change(1) { $0.model = .tap(.protected(.mode)) }
        } _: { scope in
            try await scope.ready(Self.tap)
            #expect(await scope.connectError(Self.tap, .tap)?.code == .pairingRequired)
            try await scope.reports.next { $0.event == .link(false) }
            do throws(RadioError) {
                try await scope.radio.pair(Self.tap, requirements: .tap)
                Issue.record("the device is paired")
            } catch {
                #expect(error.code == .pairingFailed)
            }
            #expect(await !scope.radio.knowsBond)
        }
    }

    @Test("An input device of another family is not bonded")
    func inputDevice() async throws {
        try await withProxy { scope in
            try await scope.ready(Self.tap)
            var requirements = LinkRequirements.tap
            requirements.isInputDevice = false
            do throws(RadioError) {
                try await scope.radio.pair(Self.tap, requirements: requirements)
                Issue.record("the device is paired")
            } catch {
                #expect(error.code == .inputDevice)
            }
            #expect(await !scope.radio.knowsBond)
            try await scope.reports.next { $0.event == .link(false) }
        }
    }
}

extension ProxyRadio {
    fileprivate var knowsBond: Bool { hasBond(ProxyScope.tap) }

    fileprivate func forgetBonds() { bonds = [] }
}

extension ProxyScope {
    /// Waits for an advertisement of a device without a bond.
    fileprivate func ready(afterForgetting address: Address) async throws {
        try await events.next {
            if case .heard(let device, _) = $0 {
                device.address == address && !device.isPaired
            } else {
                false
            }
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension VirtualTap.Choices {
    fileprivate static func protected(_ pairing: Pairing) -> Self {
        var choices = Self(.strap2)
        (choices.encryption, choices.pairing) = (.all, pairing)
        return choices
    }
}
