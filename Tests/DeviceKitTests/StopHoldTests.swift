import DeviceKit
import Testing

@Suite("The motion gate after a stop")
struct StopHoldTests {
    @Test(
        "A joystick at 10 Hz does not move the device after a stop until it is released",
        arguments: MotionStop.allCases)
    func joystick(cause: MotionStop) {
        var script = GateScript.open()
        #expect(script.repeated(20, every: 100) == ["admitted"])
        script.stop(cause)
        #expect(script.repeated(100, every: 100) == ["stopped"])
        script.pass(400)
        #expect(script.command() == "admitted")
    }

    @Test("One command a second with leases of two seconds counts as released after two seconds")
    func slowSender() {
        var script = GateScript.open()
        let lease = MotionDemand.motion(lease: .seconds(2))
        #expect(script.repeated(5, every: 1000, lease) == ["admitted"])
        script.stop()
        #expect(script.repeated(5, every: 1000, lease) == ["stopped"])
        script.pass(950)
        #expect(script.command(lease) == "stopped")
        script.pass(2000)
        #expect(script.command(lease) == "admitted")
    }

    @Test(
        "A lease counts if it arrived within five seconds before the stop, or since, up to the longest lease"
    )
    func longestLease() {
        var script = GateScript.open()
        script.command(.motion(lease: .seconds(60)))
        script.pass(4900)
        script.stop()
        script.pass(1950)
        #expect(script.gate.block(at: script.now) == .stopped)
        script.pass(50)
        #expect(script.gate.block(at: script.now) == nil)
        script.pass(5000)
        script.stop()
        script.pass(500)
        #expect(script.gate.block(at: script.now) == nil)
    }

    @Test("A released joystick that sends zero at 10 Hz is answered, and counts as released")
    func zeros() {
        var script = GateScript.open()
        script.command()
        script.stop(.allStop)
        #expect(script.repeated(5, every: 100, .rest) == ["rest"])
        #expect(script.command(.rest) == "admitted")
        #expect(script.command() == "admitted")
    }

    @Test(
        "Power on and weapon on repeated at 10 Hz are refused", arguments: [MotionDemand.motion(lease: nil)])
    func switches(demand: MotionDemand) {
        var script = GateScript.open()
        script.stop(.emergencyStop)
        #expect(script.repeated(30, every: 100, demand) == ["stopped"])
        #expect(script.command(.none) == "admitted")
    }

    @Test("If one of two senders continues, the device stays stopped, and the answer reports it")
    func twoSenders() {
        var script = GateScript.open()
        script.stop()
        for _ in 0..<10 {
            script.pass(400)
            #expect(script.command(hold: 1) == "stopped")
        }
        script.pass(400)
        #expect(script.command(hold: 2) == "stopped")
        script.pass(500)
        #expect(script.command(hold: 3) == "admitted")
        #expect(script.command(hold: 2) == "stopped")
    }

    @Test("After a gap of 0.6 s, a stick without a hold can move the device, but not one with a hold")
    func gap() {
        var script = GateScript.open()
        script.command(hold: 7)
        script.command()
        script.stop()
        script.pass(600)
        #expect(script.command(hold: 7) == "stopped")
        script.pass(600)
        #expect(script.command() == "admitted")
        #expect(script.command(hold: 7) == "stopped")
        #expect(script.command(hold: 8) == "admitted")
    }

    @Test(
        "A stop ends holds whose commands arrived in the minute before it, however long the pause"
    )
    func holdMemory() {
        var script = GateScript.open()
        script.command(hold: 1)
        script.pass(10_000)
        script.command(hold: 2)
        script.pass(50_050)
        script.stop()
        script.pass(120_000)
        #expect(script.command(hold: 1) == "admitted")
        #expect(script.command(hold: 2) == "stopped")
    }

    @Test("The newest 256 holds are remembered")
    func holdCapacity() {
        var script = GateScript.open()
        script.stop()
        for hold in 0..<300 { script.command(hold: hold) }
        script.pass(600)
        #expect(script.command(hold: 43) == "admitted")
        #expect(script.command(hold: 44) == "stopped")
        #expect(script.command(hold: 299) == "stopped")
    }

    @Test("The quiet period counts only while the path is fresh")
    func quietWhileFresh() {
        var script = GateScript.open()
        script.stop()
        script.pass(300)
        script.pass(3000, echoes: false)
        script.echo()
        script.pass(450)
        #expect(script.gate.block(at: script.now) == .stopped)
        script.pass(50)
        #expect(script.gate.block(at: script.now) == nil)
    }

    @Test("A lost link counts as a stop, which continues on the next link")
    func linkLost() {
        var script = GateScript.open()
        script.command(hold: 1)
        script.gate.unlinked(at: script.now)
        script.pass(1000, echoes: false)
        script.gate.linked(at: script.now)
        // Each link has its own will, which the guardian must confirm.
        script.gate.guarded(true)
        script.echo()
        #expect(script.command(hold: 1) == "stopped")
        script.pass(500)
        #expect(script.command(hold: 1) == "stopped")
        #expect(script.orders == [])
    }

    @Test("A gate that replaces another takes over its stops and presses")
    func adoption() {
        var script = GateScript.open()
        script.command(hold: 1)
        script.stop(.reload)
        var next = GateScript.open(.init(maxPathDelay: .seconds(1)))
        next.gate.adopt(script.gate)
        #expect(next.command(hold: 2) == "stopped")
        next.pass(600)
        #expect(next.command(hold: 1) == "stopped")
        next.pass(600)
        #expect(next.command(hold: 3) == "admitted")
    }

    @Test("A new bridge admits no motion until no command asked for it for the longest lease")
    func start() {
        var script = GateScript()
        script.gate.connected(at: script.now)
        script.gate.subscriptions(missing: [], at: script.now)
        script.gate.linked(at: script.now)
        script.gate.guarded(true)
        script.echo()
        script.pass(1950)
        #expect(script.gate.block(at: script.now) == .stopped)
        #expect(script.command() == "stopped")
        script.pass(2000)
        #expect(script.command() == "admitted")
    }

    @Test(
        "The quiet period is over when an echo sent after it came back, so that no older command can arrive"
    )
    func proof() {
        var script = GateScript.open()
        script.stop()
        script.pass(450)
        let early = script.send()
        script.pass(50, echoes: false)
        #expect(script.gate.block(at: script.now) == .stopped)
        let late = script.send()
        script.returned(early)
        #expect(script.gate.block(at: script.now) == .stopped)
        script.returned(late)
        #expect(script.gate.block(at: script.now) == nil)
        #expect(script.command(echo: early) == "expired sender")
        #expect(script.command(echo: late) == "admitted")
    }
}
