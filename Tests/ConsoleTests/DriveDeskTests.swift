import Console
import JSON
import Testing

@Suite("Drivers of robots and valid drive commands")
struct DriveDeskTests {
    private static let time = Duration.seconds(100)

    private func desk(_ maxDelay: Duration = .milliseconds(250)) -> DriveDesk {
        var last = 0
        return DriveDesk(maxDelay: maxDelay) {
            last += 1
            return last
        }
    }

    private func at(_ milliseconds: Int) -> Duration { Self.time + .milliseconds(milliseconds) }

    private func drive(_ tick: Int, hold: String = "a", id: String? = nil) -> ClientMessage.Drive {
        ClientMessage.Drive(device: "robot", hold: hold, tick: tick, motion: ["x": 0.5, "y": 0], id: id)
    }

    private func forwards(_ effects: [DriveDesk.Effect]) -> [DriveDesk.Forward] {
        effects.compactMap { if case .drive(let forward) = $0 { forward } else { nil } }
    }

    private func codes(_ effects: [DriveDesk.Effect]) -> [String] {
        effects.compactMap { if case .refused(_, _, _, let code, _) = $0 { code } else { nil } }
    }

    private func stops(_ effects: [DriveDesk.Effect]) -> Int {
        effects.count { if case .stop = $0 { true } else { false } }
    }

    private func reasons(_ effects: [DriveDesk.Effect]) -> [String] {
        effects.compactMap { if case .over(_, _, _, let reason) = $0 { reason } else { nil } }
    }

    @Test("A press starts with a tick, and a tick follows every 100 ms")
    func ticks() {
        var desk = desk()
        let first = desk.press(
            "robot", hold: "a", tab: 1, user: "anna", takesOver: false, standing: .free, at: at(0))
        #expect(first == [.stick(device: "robot"), .tick(tab: 1, device: "robot", number: 1)])
        #expect(desk.due == at(100))
        #expect(desk.advance(to: at(99)) == [])
        #expect(desk.advance(to: at(100)) == [.tick(tab: 1, device: "robot", number: 2)])
        #expect(desk.holder("robot")?.user == "anna")
    }

    @Test(
        "A drive is forwarded with the lease, the hold's number and the newest echo; the first has the page's id"
    )
    func forwarded() throws {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        let first = try #require(
            forwards(desk.drive(drive(1, id: "7"), tab: 1, echo: "e-1", isWritable: true, at: at(40))).first)
        #expect(
            first.payload == ["x": 0.5, "y": 0.0, "duration_ms": 400, "hold": 1, "echo": "e-1"]
                && first.id == "7" && first.measured == .milliseconds(40))
        let second = try #require(
            forwards(desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(90))).first)
        #expect(second.payload["echo"] == nil && second.id == nil && second.measured == nil)
    }

    @Test("A drive whose tick is older than the limit is ignored", arguments: [100, 250, 1000])
    func old(limit: Int) {
        var desk = desk(.milliseconds(limit))
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        // Newer ticks keep the hold alive during this time.
        for moment in stride(from: 100, through: limit, by: 100) {
            for case .tick(_, _, let number) in desk.advance(to: at(moment)) {
                _ = desk.drive(drive(number), tab: 1, echo: nil, isWritable: true, at: at(moment))
            }
        }
        let inTime = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(limit))
        #expect(forwards(inTime).count == 1)
        let late = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(limit + 1))
        #expect(codes(late) == ["too_late"] && forwards(late).isEmpty)
        let unknown = desk.drive(drive(99), tab: 1, echo: nil, isWritable: true, at: at(limit + 1))
        #expect(codes(unknown) == ["too_late"])
    }

    @Test("After 300 ms without a valid drive there is one stop, and no motion before a new press")
    func silence() {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        #expect(stops(desk.advance(to: at(309))) == 0)
        let over = desk.advance(to: at(310))
        #expect(stops(over) == 1 && reasons(over) == ["late"] && desk.holder("robot") == nil)
        // A network delivers delayed messages in a burst.
        for tick in 1...4 {
            let burst = desk.drive(drive(tick), tab: 1, echo: nil, isWritable: true, at: at(320))
            #expect(codes(burst) == ["no_stick"] && forwards(burst).isEmpty)
        }
        #expect(desk.advance(to: at(5000)).isEmpty && desk.due == nil)
    }

    @Test("A burst after a pause is rejected even if no timer has fired before it")
    func burst() {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        let effects = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(1200))
        #expect(forwards(effects).isEmpty && stops(effects) == 1 && codes(effects) == ["no_stick"])
    }

    /// Keeps a new hold alive, and returns the times at which a drive is forwarded.
    private func moved(_ desk: inout DriveDesk, until end: Int, status: (Int) -> String??) -> [Int] {
        var moved: [Int] = []
        var newest = 0
        for moment in stride(from: 100, through: end, by: 50) {
            if let said = status(moment) { _ = desk.status("robot", blockedBy: said, at: at(moment)) }
            for case .tick(_, _, let number) in desk.advance(to: at(moment)) { newest = number }
            let effects = desk.drive(
                drive(newest, hold: "b"), tab: 1, echo: nil, isWritable: true, at: at(moment))
            moved += forwards(effects).map { _ in moment }
        }
        return moved
    }

    /// A robot that was driven and stopped, and whose stick is pressed again 80 ms later.
    private func pressedAgain() -> DriveDesk {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        #expect(stops(desk.release("robot", hold: "a", tab: 1, at: at(20))) == 1)
        #expect(desk.release("robot", hold: "a", tab: 1, at: at(21)) == [])
        // The status is still older than the stop.
        let press = desk.press(
            "robot", hold: "b", tab: 1, user: nil, takesOver: false, standing: .free, at: at(100))
        #expect(codes(press).isEmpty)
        return desk
    }

    @Test(
        "After a stop no drive is forwarded until the bridge's status allows motion",
        arguments: [300, 800, 3_000])
    func standing(end: Int) {
        var desk = pressedAgain()
        let moments = moved(&desk, until: end + 200) { moment in
            moment == 150 ? .some("stopped") : moment == end ? .some(nil) : nil
        }
        #expect(moments.first == end && reasons(desk.advance(to: at(end + 200))).isEmpty)
    }

    @Test("The desk waits at most half a second for a robot whose bridge publishes no status")
    func silentBridge() {
        var desk = pressedAgain()
        #expect(moved(&desk, until: 700) { _ in nil }.first == 550)
    }

    @Test("If the bridge blocks for another reason, a drive is forwarded so that its answer has the reason")
    func otherBlock() {
        var desk = pressedAgain()
        #expect(moved(&desk, until: 300) { $0 == 200 ? .some("path") : nil }.first == 200)
    }

    @Test("A stop by another client ends a hold that has moved the robot, without a second stop")
    func foreignStop() {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        let effects = desk.status("robot", blockedBy: "stopped", at: at(50))
        #expect(reasons(effects) == ["stopped"] && stops(effects) == 0 && desk.devices.isEmpty)
    }

    @Test("The desk reports whether a stick was pressed after a moment")
    func pressed() {
        let desk = pressedAgain()
        #expect(desk.isPressed("robot", after: at(50)) && desk.isPressed(nil, after: at(50)))
        #expect(!desk.isPressed("robot", after: at(100)) && !desk.isPressed("tank", after: at(50)))
    }

    @Test("Two drivers never interleave: the second is refused, or takes over after a stop")
    func two() {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: "anna", takesOver: false, standing: .free, at: at(0))
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        let refused = desk.press("robot", hold: "b", tab: 2, user: "ben", takesOver: false, at: at(20))
        #expect(codes(refused) == ["no_stick"] && desk.holder("robot")?.tab == 1)
        let taken = desk.press("robot", hold: "b", tab: 2, user: "ben", takesOver: true, at: at(30))
        #expect(stops(taken) == 1 && reasons(taken) == ["taken"] && desk.holder("robot")?.tab == 2)
        #expect(codes(desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(40))) == ["no_stick"])
        #expect(
            codes(desk.drive(drive(1, hold: "b"), tab: 1, echo: nil, isWritable: true, at: at(40))) == [
                "no_stick"
            ])
    }

    @Test(
        "A closed page causes one stop for each robot that it drove, and none for other robots")
    func gone() {
        var desk = desk()
        for device in ["robot", "tank"] {
            _ = desk.press(
                device, hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        }
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        let effects = desk.leave(tab: 1, at: at(20))
        #expect(stops(effects) == 1 && reasons(effects) == ["released", "released"])
        #expect(desk.devices.isEmpty)
    }

    @Test("A stop ends holds; the caller sends the stop itself")
    func stop() {
        var desk = desk()
        for device in ["robot", "tank"] {
            _ = desk.press(
                device, hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        }
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        let one = desk.stop("robot", at: at(20))
        #expect(reasons(one) == ["stopped"] && stops(one) == 0 && desk.devices == ["tank"])
        #expect(reasons(desk.stop(nil, at: at(30))) == ["stopped"] && desk.devices.isEmpty)
    }

    @Test("A drive that the broker connection cannot send at once is discarded, and does not extend the hold")
    func unwritable() {
        var desk = desk()
        _ = desk.press("robot", hold: "a", tab: 1, user: nil, takesOver: false, standing: .free, at: at(0))
        _ = desk.drive(drive(1), tab: 1, echo: nil, isWritable: true, at: at(10))
        for moment in [100, 200, 300] {
            let effects = desk.drive(drive(1), tab: 1, echo: nil, isWritable: false, at: at(moment))
            #expect(forwards(effects).isEmpty)
        }
        #expect(reasons(desk.advance(to: at(310))) == ["late"])
    }

    @Test("The number of held sticks is limited")
    func many() {
        var desk = desk()
        let refused = (0..<3000).flatMap {
            codes(desk.press("robot/\($0)", hold: "a", tab: $0, user: nil, takesOver: false, at: at(0)))
        }
        #expect(desk.devices.count == 64 && refused.count == 3000 - 64)
    }
}
