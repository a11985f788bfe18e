import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Connector of a device")
struct ConnectorTests {
    private static let profile = LinkProfile(characteristics: [:])
    private static let keyboard: UUID = 0x1812

    private func advertisement(
        services: Set<UUID> = [], isConnected: Bool = false, isPaired: Bool = false
    ) -> Advertisement {
        Advertisement(
            address: BridgeSettings.sample, services: services, rssi: -50, isPaired: isPaired,
            isConnected: isConnected)
    }

    private func connector(
        bonding: LinkRequirements.Bonding = .none, mayBeInput: Bool = false
    ) -> Connector {
        var connector = Connector(LinkRequirements(required: [], bonding: bonding), mayBeInput: mayBeInput)
        connector.radio(.ready)
        return connector
    }

    private func text(_ step: Connector.Step) -> String {
        switch step {
        case .wait(nil): "wait"
        case .wait(let moment?): "wait until \(moment)"
        case .listen: "listen"
        case .connect(let number): "connect \(number)"
        case .bond: "bond"
        case .reject(let failure): "turn away: \(failure.code)"
        }
    }

    private func text(_ arrival: Connector.Arrival) -> String {
        switch arrival {
        case .use(nil): "use"
        case .use: "make safe"
        case .unwanted: "unwanted"
        case .lost(let reason): "lost: \(reason)"
        case .overProxy: "over a proxy"
        case .refuse: "refuse"
        }
    }

    /// A connector that is connecting, with its first link.
    private func connecting(_ connector: Connector) -> Connector {
        var connector = connector
        #expect(connector.heard(advertisement(), at: .zero) == true)
        #expect(text(connector.decide(at: .zero)) == "connect 1")
        return connector
    }

    private func ready() -> Connector {
        var connector = connecting(connector())
        connector.use(Self.profile, over: "hci0", number: 1)
        #expect(connector.ready() == true)
        return connector
    }

    // MARK: Connecting

    @Test("A device is connected when it advertises, and only once")
    func connect() {
        var connector = connector()
        #expect(text(connector.decide(at: .zero)) == "listen")
        connector = connecting(connector)
        #expect(text(connector.decide(at: .zero)) == "wait")
        #expect(connector.isCurrent(1) && !connector.isCurrent(2))
        #expect(text(connector.judge(Self.profile, isHazardous: false)) == "use")
        connector.use(Self.profile, over: "hci0", number: 1)
        #expect(connector.supervision.state == .preparing && connector.isKept && !connector.isReady)
        #expect(connector.ready() == true)
        #expect(connector.isReady && connector.linked?.adapter == "hci0")
        // The device becomes ready only once.
        #expect(connector.ready() == false)
        #expect(connector.heard(advertisement(), at: .zero) == false)
    }

    @Test("A link that was lost, or that the user no longer needs, is not used")
    func unused() {
        var connector = connecting(connector())
        #expect(connector.unlink("too far") == nil)
        #expect(text(connector.judge(Self.profile, isHazardous: false)) == "lost: too far")
        connector.userDisconnect()
        #expect(text(connector.judge(Self.profile, isHazardous: false)) == "unwanted")
        connector.lost(reason: Supervision.heldReason, at: .zero)
        #expect(!connector.isCurrent(1) && text(connector.decide(at: .zero)) == "wait")
        #expect(connector.isGoneByRequest)
    }

    @Test("A reason is reported as new once until the device is ready")
    func news() {
        var connector = connecting(connector())
        #expect(connector.isNews("too far") == true)
        #expect(connector.isNews("too far") == false)
        #expect(connector.isNews("switched off") == true)
        connector.use(Self.profile, over: "hci0", number: 1)
        _ = connector.ready()
        #expect(connector.isNews("switched off") == true)
    }

    @Test("A device that must be bonded is bonded before it is connected")
    func bond() {
        var connector = connector(bonding: .always)
        _ = connector.heard(advertisement(), at: .zero)
        #expect(text(connector.decide(at: .zero)) == "bond")
        connector.bonded()
        #expect(text(connector.decide(at: .zero)) == "connect 1")
        #expect(connector.inputs.hasBond && connector.leavesBond)
    }

    // MARK: Bluetooth proxies

    @Test(
        "A link over a proxy is used only if the family allows it and the device cannot move",
        arguments: [
            (false, false, false, "over a proxy"), (true, false, false, "use"),
            (true, true, false, "over a proxy"), (true, false, true, "over a proxy"),
        ])
    func proxy(isAllowed: Bool, isSafetyCritical: Bool, isHazardous: Bool, expected: String) {
        let requirements = LinkRequirements(
            required: [], isSafetyCritical: isSafetyCritical, mayUseProxy: isAllowed)
        var connector = Connector(requirements, mayBeInput: false)
        connector.radio(.ready)
        connector = connecting(connector)
        var profile = Self.profile
        #expect(text(connector.judge(profile, isHazardous: isHazardous)) == "use")
        profile.isOverProxy = true
        #expect(text(connector.judge(profile, isHazardous: isHazardous)) == expected)
        #expect(connector.requirements.mayUseProxy == (isAllowed && !isSafetyCritical))
    }

    @Test("A device that is bonded with a proxy is bonded nowhere else; the advice names the proxy")
    func proxyBond() throws {
        var connector = connecting(connector(bonding: .onDemand))
        var profile = LinkProfile(characteristics: [:], isPaired: true)
        profile.isOverProxy = true
        connector.use(profile, over: "proxy/kitchen", number: 1)
        #expect(connector.ready() == true)
        connector.lost(reason: "out of range", at: .zero)
        _ = connector.heard(advertisement(), at: .zero)
        #expect(text(connector.decide(at: .zero)) == "connect 2")
        connector.failed(RadioError(.pairingRequired, "refused"), at: .zero)
        #expect(connector.supervision.reasonCode == .bondMissing)
        #expect(connector.supervision.advice?.contains("proxy/kitchen") == true)
        // Nor if the device accepts the link and refuses later, or closes the link without a reason.
        let failures: [(inout Connector, Duration) -> Void] = [
            { $0.failed(DeviceFailure(.pairingRequired, "refused", advice: "press it"), at: $1) },
            { $0.failed(DeviceFailure(.handshake, "no answer"), at: $1) },
        ]
        for (index, fail) in failures.enumerated() {
            let next = try #require(connector.supervision.nextAttempt)
            _ = connector.heard(advertisement(), at: next)
            #expect(text(connector.decide(at: next)) == "connect \(index + 3)")
            connector.use(Self.profile, over: "hci0", number: index + 3)
            fail(&connector, next)
            #expect(connector.supervision.reasonCode == .bondMissing)
            #expect(connector.supervision.advice?.contains("proxy/kitchen") == true)
        }
        // A bond that the user requests replaces the bond of the proxy.
        connector.bondedByRequest()
        #expect(connector.supervision.bondAdvice.contains("proxy/kitchen") == false)
    }

    @Test("A failed handshake suggests a missing bond, but not over a proxy", arguments: [false, true])
    func proxySuspicion(isOverProxy: Bool) throws {
        for isLost in [true, false] {
            var connector = connecting(connector(bonding: .onDemand))
            var profile = Self.profile
            profile.isOverProxy = isOverProxy
            connector.use(profile, over: isOverProxy ? "proxy/kitchen" : "hci0", number: 1)
            if isLost {
                connector.lost(reason: "no answer", at: .zero)
            } else {
                connector.failed(DeviceFailure(.handshake, "no answer"), at: .zero)
            }
            let next = try #require(connector.supervision.nextAttempt)
            _ = connector.heard(advertisement(), at: next)
            #expect(text(connector.decide(at: next)) == (isOverProxy ? "connect 2" : "bond"))
        }
    }

    // MARK: Input devices

    @Test("A device that advertises as a keyboard is not connected, unless the user permits it")
    func keyboard() {
        for isAllowed in [false, true] {
            var connector = connector(mayBeInput: isAllowed)
            _ = connector.heard(advertisement(services: [Self.keyboard]), at: .zero)
            let step = text(connector.decide(at: .zero))
            #expect(step == (isAllowed ? "connect 1" : "turn away: inputDevice"))
            #expect(connector.requirements.isInputDevice == isAllowed && connector.showsInput)
        }
    }

    @Test("An input device that the host is connected to is connected without a bond, and then refused")
    func takeover() {
        var connector = connector(bonding: .always)
        _ = connector.heard(advertisement(services: [Self.keyboard], isConnected: true), at: .zero)
        #expect(text(connector.decide(at: .zero)) == "connect 1")
        let profile = LinkProfile(characteristics: [:], services: [Self.keyboard])
        #expect(text(connector.judge(profile, isHazardous: false)) == "refuse")
        #expect(text(connector.judge(profile, isHazardous: true)) == "make safe")
    }

    @Test("An input service found later makes the link unusable, before and after it is used")
    func found() {
        var connector = connecting(connector())
        #expect(connector.found([Self.keyboard]) == nil)
        #expect(text(connector.judge(Self.profile, isHazardous: false)) == "refuse")
        connector = ready()
        #expect(connector.found([0x180F]) == nil)
        #expect(connector.found([Self.keyboard])?.code == .inputDevice && connector.showsInput)
    }

    // MARK: Ending the link

    @Test("A link that ends cleanly is kept until the last writes are sent, and ends once")
    func parting() {
        var connector = ready()
        #expect(connector.part() == true)
        #expect(connector.part() == false)
        #expect(!connector.isKept && connector.isReady && !connector.hasSaidGoodbye)
        // A request of the state machine waits for its last writes.
        #expect(connector.machineDone(nil) == false)
        #expect(connector.hasSaidGoodbye)
        #expect(connector.parted(otherwise: "another program") == "another program")
        #expect(connector.parted(otherwise: "another program") == nil)
        #expect(connector.unlink("gone")?.isReady == true)
        #expect(connector.unlink("gone") == nil && connector.linked == nil)
    }

    @Test("The failure of a state machine closes its link immediately, and the device does not become ready")
    func givenUp() {
        var connector = connecting(connector())
        connector.use(Self.profile, over: "hci0", number: 1)
        let failure = DeviceFailure(.handshake, "no answer")
        #expect(connector.machineDone(failure) == true)
        #expect(connector.machineDone(failure) == false)
        #expect(connector.ready() == false && connector.parted(otherwise: "") == nil)
        #expect(connector.unlink("closed")?.failure == failure)
    }

    @Test("The reason for the end of a link is a failure, the user, another bridge or another program")
    func reasons() {
        var connector = ready()
        _ = connector.part(DeviceFailure(.inputDevice, "a keyboard"))
        #expect(connector.parted(otherwise: "x") == "a keyboard")
        connector = ready()
        connector.leave(to: Connector.Successor(bridge: "cellar", sharesLink: true))
        _ = connector.part()
        var other = connector
        #expect(connector.parted(otherwise: "x") == "held by the bridge cellar")
        other.userDisconnect()
        #expect(other.parted(otherwise: "x") == Supervision.heldReason)
        #expect(other.unlink("left")?.successor?.sharesLink == true)
    }

    @Test("At the end of the session the device is not ready and has no adapter")
    func finish() {
        var connector = ready()
        connector.stop(reason: "the bridge was stopped")
        connector.finish()
        #expect(!connector.isReady && connector.linked != nil && connector.linked?.adapter == nil)
        #expect(text(connector.decide(at: .zero)) == "wait")
    }

    // MARK: Requests

    @Test("A disconnect ends the wait for the device, and a connect request the wait for the disconnect")
    func request() {
        var connector = connector()
        var answers: [Answer] = []
        connector.awaitReady { answers.append($0) }
        for waiter in connector.userDisconnect(then: { answers.append($0) }) {
            waiter(.failed(.deviceOffline, "gone"))
        }
        _ = connector.decide(at: .zero)
        #expect(connector.isGoneByRequest && connector.takeConnectWaiters().isEmpty)
        for waiter in connector.userReconnect() { waiter(.failed(.busy, "back")) }
        #expect(connector.takeDisconnectWaiters().isEmpty && !connector.isGoneByRequest)
        #expect(answers == [.failed(.deviceOffline, "gone"), .failed(.busy, "back")])
    }
}
