import DeviceKit
import Testing

@Suite("The motion gate with the guardian and the power")
struct MotionGateGuardianTests {
    /// The demands that require a guardian.
    private static let demands: [MotionDemand] = [.power, .motion(lease: nil), .motion(lease: .seconds(1))]

    @Test(
        "No motion is accepted before the guardian has answered; afterward it is accepted immediately",
        arguments: demands)
    func unanswered(demand: MotionDemand) {
        var script = GateScript.open()
        script.gate.unlinked(at: script.now)
        script.gate.linked(at: script.now)
        script.pass(5000)
        #expect(script.gate.block(at: script.now) == .guardian)
        #expect(!script.gate.isSettled(at: script.now), "nor is anything switched on without a command")
        #expect(script.command(demand) == "wrong_mode no_guardian")
        script.pass(5000)
        script.gate.guarded(true)
        #expect(script.gate.block(at: script.now) == nil)
        #expect(script.command(demand) == "admitted")
    }

    @Test("A lost guardian blocks motion, but stops nothing and allows rest and switches to off")
    func lost() {
        var script = GateScript.open()
        #expect(script.command() == "admitted")
        script.gate.guarded(false)
        #expect(script.command() == "wrong_mode no_guardian")
        #expect(script.command(.rest) == "admitted")
        #expect(script.command(.none) == "admitted")
        script.pass(10_000)
        #expect(script.orders == [], "what moves ends with its lease")
        script.gate.guarded(true)
        #expect(script.command() == "admitted", "a lost guardian is no stop")
    }

    @Test("Commands refused without a guardian still count as a held stick after a stop")
    func heldStick() {
        var script = GateScript.open()
        script.stop()
        script.gate.guarded(false)
        #expect(script.repeated(20, every: 100) == ["wrong_mode no_guardian"])
        script.gate.guarded(true)
        #expect(script.command() == "stopped")
        script.pass(600)
        #expect(script.command() == "admitted")
    }

    // MARK: Power

    @Test("Repeated power on of a device with power does not prolong a stop")
    func hasPower() {
        var script = GateScript.open()
        script.stop()
        #expect(script.repeated(5, every: 100, .power, hasPower: true) == ["stopped"])
        script.pass(50)
        #expect(script.command(.power, hasPower: true) == "admitted")
        #expect(script.command() == "admitted")
    }

    @Test("If the power is off, power on is the release, and repeated power on prolongs the stop")
    func noPower() {
        var script = GateScript.open()
        script.stop(.emergencyStop)
        #expect(script.repeated(100, every: 100, .power) == ["stopped"])
        script.pass(600)
        #expect(script.command(.power) == "admitted")
    }

    @Test("A held stick prolongs a stop, with power too")
    func heldStickWithPower() {
        var script = GateScript.open()
        script.stop()
        #expect(script.repeated(50, every: 100, hasPower: true) == ["stopped"])
    }

    /// Breaks the link after a stop, and returns the refusal of a command on the next link.
    private static func refusal(after cause: MotionStop) -> CommandError? {
        var script = GateScript.open()
        script.stop(cause)
        script.gate.unlinked(at: script.now)
        script.gate.linked(at: script.now)
        script.gate.guarded(true)
        script.echo()
        guard case .refused(let error) = script.gate.judge(MotionRequest(.power), at: script.now) else {
            return nil
        }
        return error
    }

    @Test("If a reload closes the link, the cause of the stop remains the reload")
    func reload() {
        #expect(Self.refusal(after: .reload)?.reason == .stop(.reload))
        #expect(Self.refusal(after: .stop)?.reason == .stop(.linkLost))
    }

    @Test("After an emergency stop, a refusal asks for power on")
    func emergency() {
        var script = GateScript.open()
        script.stop(.emergencyStop)
        guard case .refused(let error) = script.gate.judge(MotionRequest(.power), at: script.now) else {
            Issue.record("not refused")
            return
        }
        #expect(
            error.message
                == "a stop arrived (emergency_stop): send no motion command for 500 ms, then send power/set on"
        )
    }
}
