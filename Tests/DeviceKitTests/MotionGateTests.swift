import DeviceKit
import Testing

@Suite("The motion gate")
struct MotionGateTests {
    private static let drive = MotionDemand.motion(lease: nil)

    // MARK: The path from the broker

    @Test("No motion is admitted before the first echo comes back")
    func unmeasured() {
        var script = GateScript.open()
        script.gate.disconnected()
        script.gate.connected(at: script.now)
        script.gate.subscriptions(missing: [], at: script.now)
        #expect(script.command() == "expired path")
        script.echo()
        #expect(script.command() == "admitted")
    }

    @Test("An echo is valid for the maximum delay after its hand-over", arguments: [300, 750, 5000])
    func limit(milliseconds: Int) {
        var script = GateScript.open(.init(maxPathDelay: .milliseconds(milliseconds)))
        script.pass(milliseconds, echoes: false)
        #expect(script.command() == "admitted")
        #expect(script.orders == [])
        script.pass(1, echoes: false)
        #expect(script.command() == "expired path")
        #expect(script.orders == [.stop])
    }

    @Test("An echo that took too long does not open the gate")
    func lateEcho() {
        var script = GateScript.open()
        let value = script.send()
        script.pass(8000, echoes: false)
        script.returned(value)
        #expect(script.command() == "expired path")
    }

    @Test("An echo counts once, and not if it is unknown or from another connection")
    func foreignEcho() {
        var script = GateScript.open()
        let value = script.send()
        script.gate.disconnected()
        script.gate.connected(at: script.now)
        script.gate.subscriptions(missing: [], at: script.now)
        script.returned(value)
        script.returned("never sent")
        #expect(script.command() == "expired path")
        let fresh = script.send()
        script.returned(fresh)
        script.pass(700, echoes: false)
        script.returned(fresh)
        script.pass(100, echoes: false)
        #expect(script.command() == "expired path")
    }

    @Test("A lost path stops the device, switches its power off five seconds later, and counts as a stop")
    func pathLost() {
        var script = GateScript.open()
        script.command()
        script.pass(5700, echoes: false)
        #expect(script.orders == [.stop])
        script.pass(100, echoes: false)
        #expect(script.orders == [.stop, .cutPower])
        script.echo()
        #expect(script.command() == "stopped")
        script.pass(500)
        #expect(script.command() == "admitted")
        #expect(script.orders == [.stop, .cutPower])
    }

    @Test("A path that recovers within five seconds leaves the power on")
    func pathBack() {
        var script = GateScript.open()
        script.pass(2000, echoes: false)
        script.pass(10_000)
        #expect(script.orders == [.stop])
    }

    @Test("A command with an old echo is refused, as from a stalled phone")
    func senderEcho() {
        var script = GateScript.open()
        let value = script.send()
        script.returned(value)
        #expect(script.command(echo: value) == "admitted")
        script.pass(750)
        #expect(script.command(echo: value) == "admitted")
        script.pass(50)
        #expect(script.command(echo: value) == "expired sender")
        #expect(script.command(echo: "from nowhere") == "expired sender")
        #expect(script.command() == "admitted")
    }

    @Test("Without any echo, the refusal names the access list and the topic")
    func accessList() throws {
        var script = GateScript()
        script.gate.connected(at: script.now)
        script.gate.subscriptions(missing: [], at: script.now)
        script.gate.linked(at: script.now)
        _ = script.send()
        script.pass(2100, echoes: false)
        guard case .refused(let error) = script.gate.judge(MotionRequest(Self.drive), at: script.now) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.message.contains("topic readwrite bridge/attic/echo"))
        #expect(error.message.contains("topic read bridge/attic/echo"))
    }

    // MARK: Subscriptions

    @Test("No motion is admitted while the subscription of a stop is missing")
    func subscription() {
        var script = GateScript.open()
        script.gate.subscriptions(missing: ["robot/emergency_stop/set"], at: script.now)
        #expect(script.command() == "wrong_mode subscription")
        #expect(script.command(.none) == "admitted")
        #expect(script.command(.rest) == "admitted")
        script.gate.subscriptions(missing: [], at: script.now)
        #expect(script.command() == "admitted")
    }

    @Test(
        "All retained messages have arrived when an echo came back that was sent after the last subscription")
    func settled() {
        var script = GateScript()
        script.gate.connected(at: script.now)
        script.gate.linked(at: script.now)
        script.gate.guarded(true)
        let early = script.send()
        script.pass(10, echoes: false)
        script.gate.subscriptions(missing: [], at: script.now)
        script.returned(early)
        #expect(!script.gate.hasStore)
        script.pass(10, echoes: false)
        script.echo()
        #expect(script.gate.hasStore)
        #expect(!script.gate.isSettled(at: script.now))
        script.pass(2000)
        #expect(script.gate.isSettled(at: script.now))
    }
}
