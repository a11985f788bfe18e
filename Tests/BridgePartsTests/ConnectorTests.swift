import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("The connector of a device")
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
        case .turnAway(let failure): "turn away: \(failure.code)"
        }
    }

    private func text(_ arrival: Connector.Arrival) -> String {
        switch arrival {
        case .use(nil): "use"
        case .use: "make safe"
        case .unwanted: "unwanted"
        case .lost(let reason): "lost: \(reason)"
        case .refuse: "refuse"
        }
    }

    /// One that is connecting, with its first link.
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

    // MARK: The way to a link

    @Test("A device is connected when it is heard, and no second time meanwhile")
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
        // It is ready once.
        #expect(connector.ready() == false)
        #expect(connector.heard(advertisement(), at: .zero) == false)
    }

    @Test("A link that went away, or that a person does not want any more, is not used")
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

    @Test("Of attempts that fail alike only the first is news")
    func news() {
        var connector = connecting(connector())
        #expect(connector.isNews("too far") == true)
        #expect(connector.isNews("too far") == false)
        #expect(connector.isNews("switched off") == true)
        connector.use(Self.profile, over: "hci0", number: 1)
        _ = connector.ready()
        #expect(connector.isNews("switched off") == true)
    }

    @Test("A device that must be bonded is, before it is connected")
    func bond() {
        var connector = connector(bonding: .always)
        _ = connector.heard(advertisement(), at: .zero)
        #expect(text(connector.decide(at: .zero)) == "bond")
        connector.bonded()
        #expect(text(connector.decide(at: .zero)) == "connect 1")
        #expect(connector.inputs.hasBond && connector.leavesBond)
    }

    // MARK: Input devices

    @Test("A device that advertises to be a keyboard is left alone, unless a person let it in")
    func keyboard() {
        for isAllowed in [false, true] {
            var connector = connector(mayBeInput: isAllowed)
            _ = connector.heard(advertisement(services: [Self.keyboard]), at: .zero)
            let step = text(connector.decide(at: .zero))
            #expect(step == (isAllowed ? "connect 1" : "turn away: inputDevice"))
            #expect(connector.requirements.isInputDevice == isAllowed && connector.showsInput)
        }
    }

    @Test("One that the host is connected to is taken over, not bonded with, and let go")
    func takeover() {
        var connector = connector(bonding: .always)
        _ = connector.heard(advertisement(services: [Self.keyboard], isConnected: true), at: .zero)
        #expect(text(connector.decide(at: .zero)) == "connect 1")
        let profile = LinkProfile(characteristics: [:], services: [Self.keyboard])
        #expect(text(connector.judge(profile, isHazardous: false)) == "refuse")
        #expect(text(connector.judge(profile, isHazardous: true)) == "make safe")
    }

    @Test("An input service that is found later is held against the link, before it is used and after")
    func found() {
        var connector = connecting(connector())
        #expect(connector.found([Self.keyboard]) == nil)
        #expect(text(connector.judge(Self.profile, isHazardous: false)) == "refuse")
        connector = ready()
        #expect(connector.found([0x180F]) == nil)
        #expect(connector.found([Self.keyboard])?.code == .inputDevice && connector.showsInput)
    }

    // MARK: The end of a link

    @Test("A link that ends in good order is kept until the last writes are out, and has one end")
    func parting() {
        var connector = ready()
        #expect(connector.part() == true)
        #expect(connector.part() == false)
        #expect(!connector.isKept && connector.isReady && !connector.hasSaidGoodbye)
        // What the state machine asks for waits for its last writes.
        #expect(connector.machineDone(nil) == false)
        #expect(connector.hasSaidGoodbye)
        #expect(connector.parted(otherwise: "another program") == "another program")
        #expect(connector.parted(otherwise: "another program") == nil)
        #expect(connector.unlink("gone")?.isReady == true)
        #expect(connector.unlink("gone") == nil && connector.linked == nil)
    }

    @Test("A state machine that gives up has its link closed at once, and does not become ready")
    func givenUp() {
        var connector = connecting(connector())
        connector.use(Self.profile, over: "hci0", number: 1)
        let failure = DeviceFailure(.handshake, "no answer")
        #expect(connector.machineDone(failure) == true)
        #expect(connector.machineDone(failure) == false)
        #expect(connector.ready() == false && connector.parted(otherwise: "") == nil)
        #expect(connector.unlink("closed")?.failure == failure)
    }

    @Test("The reason of the end: a failure, a person, another bridge, another program")
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

    @Test("At the end of the session the device counts as away, over no adapter")
    func finish() {
        var connector = ready()
        connector.stop(reason: "the bridge was stopped")
        connector.finish()
        #expect(!connector.isReady && connector.linked != nil && connector.linked?.adapter == nil)
        #expect(text(connector.decide(at: .zero)) == "wait")
    }

    // MARK: A person

    @Test("A disconnect by request ends the wait for the device, and a reconnect that for its end")
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
