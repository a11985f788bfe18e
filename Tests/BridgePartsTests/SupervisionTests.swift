import Bluetooth
import DeviceKit
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Decisions when to connect")
struct SupervisionTests {
    private let now = Duration.seconds(100)

    private func ready(_ bonding: LinkRequirements.Bonding = .none) -> Supervision {
        var supervision = Supervision(bonding: bonding, bondingAdvice: "press it")
        supervision.radio(.ready)
        return supervision
    }

    @Test("No connection is attempted without a radio, or before the device advertises")
    func waits() {
        var supervision = Supervision()
        supervision.heard()
        #expect(supervision.decide(at: now) == .wait(until: nil))
        #expect(supervision.state == .disconnected)
        #expect(!supervision.wantsDiscovery)
        supervision.radio(.ready)
        #expect(supervision.decide(at: now) == .listen)
        #expect(supervision.state == .searching)
        #expect(supervision.wantsDiscovery)
        supervision.heard()
        #expect(supervision.decide(at: now) == .connect)
        #expect(supervision.state == .connecting)
        #expect(!supervision.wantsDiscovery)
        #expect(supervision.decide(at: now) == .wait(until: nil))
    }

    @Test("A device with an unusable family is never searched for, and the reason is reported")
    func fault() {
        var supervision = Supervision(fault: "buzz.yaml:3:1: family: missing")
        supervision.radio(.ready)
        supervision.heard()
        #expect(supervision.decide(at: now) == .wait(until: nil))
        #expect(supervision.state == .error)
        #expect(supervision.reason == "buzz.yaml:3:1: family: missing")
        #expect(supervision.advice == Supervision.faultAdvice)
        #expect(!supervision.wantsDiscovery)
    }

    @Test("A device connected on request only is released when its link is lost or the request times out")
    func onRequest() {
        var supervision = Supervision(isOnRequest: true)
        supervision.radio(.ready)
        supervision.heard()
        #expect(supervision.decide(at: now) == .wait(until: nil))
        #expect(supervision.reason == Supervision.onRequestReason && !supervision.wantsDiscovery)
        supervision.userReconnect()
        #expect(supervision.decide(at: now) == .connect)
        supervision.linked()
        supervision.ready()
        supervision.requestTimedOut()
        #expect(supervision.state == .connected)
        supervision.lost(reason: "gone", at: now)
        #expect(supervision.decide(at: now) == .wait(until: nil))
        #expect(supervision.state == .disconnected && supervision.isUserDisconnected)
        supervision.userReconnect()
        #expect(supervision.wantsDiscovery)
        supervision.requestTimedOut()
        #expect(supervision.isUserDisconnected)
    }

    @Test("The reason of an unavailable radio is reported, and cleared when the radio is back")
    func radioReason() {
        var supervision = Supervision()
        supervision.radio(RadioState(obstacle: .service, reason: "org.bluez has no owner"))
        _ = supervision.decide(at: now)
        #expect(supervision.reason == "org.bluez has no owner")
        #expect(supervision.advice == Supervision.serviceAdvice)
        supervision.radio(.ready)
        _ = supervision.decide(at: now)
        #expect(supervision.reason == Supervision.notHeard)
    }

    @Test(
        "A back-off doubles up to its limit",
        arguments: [
            (1, 500), (2, 1000), (3, 2000), (6, 16_000), (7, 30_000), (60, 30_000), (0, 500),
        ])
    func delay(attempt: Int, milliseconds: Int) {
        #expect(
            Supervision.delay(attempt: attempt, first: .milliseconds(500), limit: .seconds(30))
                == .milliseconds(milliseconds))
    }

    @Test("Repeated failures are an error, which stays visible while the device is searched for")
    func repeatedFailures() {
        var supervision = ready()
        for attempt in 1...4 {
            supervision.failed(RadioError(.unreachable, "no answer"), at: now)
            let isError = attempt >= Supervision.patience
            #expect(supervision.state == (isError ? .error : .searching))
            #expect(supervision.decide(at: now + .seconds(60)) == .listen)
            #expect(supervision.state == (isError ? .error : .searching))
            #expect(supervision.reason == "no answer" && supervision.wantsDiscovery)
            supervision.heard()
            #expect(supervision.decide(at: now + .seconds(60)) == .connect)
        }
        supervision.linked()
        supervision.ready()
        supervision.lost(reason: "gone", at: now)
        #expect(supervision.state == .searching)
    }

    @Test("A failure that the device did not cause is never an error")
    func busy() {
        var supervision = ready()
        for _ in 1...9 { supervision.failed(RadioError(.busy, "busy"), at: now) }
        #expect(supervision.state == .searching)
    }

    @Test("A radio that comes back ends a back-off")
    func radioBack() {
        var supervision = ready()
        supervision.failed(RadioError(.wrongProfile, "no"), at: now)
        #expect(supervision.decide(at: now) == .wait(until: now + .seconds(300)))
        supervision.radio(RadioState(obstacle: .service, reason: "away"))
        supervision.radio(.ready)
        supervision.heard()
        #expect(supervision.decide(at: now) == .connect)
    }

    @Test("A lost radio does not change a link that is being established or used")
    func radioLostInUse() {
        var supervision = ready()
        supervision.heard()
        _ = supervision.decide(at: now)
        supervision.linked()
        supervision.ready()
        supervision.radio(RadioState(obstacle: .service, reason: "away"))
        #expect(supervision.state == .connected)
        #expect(supervision.reason == nil)
        supervision.lost(reason: "gone", at: now)
        _ = supervision.decide(at: now)
        #expect(supervision.state == .disconnected)
        #expect(supervision.reason == "away")
    }

    @Test(
        "A bond is created when the family, the device or the joining requires it",
        arguments: [LinkRequirements.Bonding.none, .onDemand, .always])
    func bonding(_ bonding: LinkRequirements.Bonding) {
        var supervision = ready(bonding)
        supervision.heard()
        #expect(supervision.decide(at: now) == (bonding == .always ? .pair : .connect))
        supervision.failed(RadioError(.pairingRequired, "refused"), at: now)
        #expect(supervision.advice == "press it")
        #expect(supervision.decide(at: now) == .wait(until: now + .milliseconds(500)))
        // The device refused, so the bond reported by the host does not count.
        supervision.heard(isPaired: true)
        #expect(supervision.decide(at: now + .seconds(1)) == .pair)
        supervision.paired()
        #expect(supervision.decide(at: now + .seconds(1)) == .connect)
    }

    @Test("A bond that is only preferred is attempted once")
    func wish() {
        var supervision = ready(.onDemand)
        supervision.wishBond()
        supervision.heard()
        #expect(supervision.decide(at: now) == .pair)
        supervision.failed(RadioError(.pairingFailed, "no"), at: now)
        #expect(supervision.advice == "press it")
        #expect(supervision.decide(at: now) == .connect)
    }

    @Test("The bonding advice stays for one failed link after a failed bond, and no longer")
    func adviceStands() {
        var supervision = ready(.onDemand)
        supervision.wishBond()
        supervision.heard()
        _ = supervision.decide(at: now)
        supervision.failed(RadioError(.pairingFailed, "no"), at: now)
        for advice in ["press it", Supervision.absenceAdvice] {
            supervision.heard()
            #expect(supervision.decide(at: now + .seconds(30)) == .connect)
            supervision.failed(RadioError(.unreachable, "connected, but then lost"), at: now)
            #expect(supervision.advice == advice)
        }
    }

    @Test(
        "A link lost in the handshake suggests a missing bond, and both are attempted in turn"
    )
    func suspicion() {
        var supervision = ready(.onDemand)
        var now = now
        for _ in 0..<3 {
            supervision.heard()
            #expect(supervision.decide(at: now) == .connect)
            supervision.linked()
            supervision.lost(reason: "the link was lost", at: now)
            #expect(supervision.reason == "the link was lost, possibly because a bond is missing")
            #expect(supervision.advice == "press it")
            now += .seconds(20)
            #expect(supervision.decide(at: now) == .pair)
            supervision.failed(RadioError(.pairingFailed, "no"), at: now)
            #expect(supervision.advice == "press it")
        }
    }

    @Test(
        "A device that has a bond, or worked without one, is not suspected of a missing bond at once",
        arguments: [true, false])
    func noSuspicion(isPaired: Bool) {
        var supervision = ready(.onDemand)
        supervision.heard(isPaired: isPaired)
        _ = supervision.decide(at: now)
        supervision.linked()
        if !isPaired {
            supervision.ready()
            supervision.lost(reason: "gone", at: now)
            supervision.heard()
            _ = supervision.decide(at: now)
            supervision.linked()
        }
        supervision.failed(DeviceFailure(.handshake, "no answer"), at: now)
        #expect(supervision.state == .error)
        #expect(supervision.advice == nil)
        supervision.heard(isPaired: isPaired)
        #expect(supervision.decide(at: now + .seconds(60)) == .connect)
    }

    @Test("A bond that the host has and the device refuses must be removed first")
    func oneSidedBond() {
        var supervision = ready(.onDemand)
        supervision.heard(isPaired: true)
        _ = supervision.decide(at: now)
        supervision.failed(RadioError(.pairingFailed, "key missing"), at: now)
        #expect(supervision.advice?.contains("bluetoothctl") == true)
        #expect(supervision.nextAttempt == now + .seconds(5))
    }

    @Test("No connection is attempted after a stop")
    func stopped() {
        var supervision = ready()
        supervision.stop(reason: "the end")
        supervision.heard()
        #expect(supervision.decide(at: now) == .wait(until: nil))
        #expect(supervision.state == .disconnected)
        #expect(supervision.reason == "the end")
        #expect(!supervision.wantsDiscovery)
    }
}
