import Console
import JSON
import Testing

@Suite("The answers of bridges to a stop")
struct StopDeskTests {
    private func answer(_ bridge: String?, _ members: [JSON.Value], status: String = "ok") -> [UInt8] {
        var object: JSON.Object = ["feature": "stop", "status": .string(status)]
        if let bridge {
            object["bridge"] = .string(bridge)
            object["members"] = .array(members)
        }
        return JSON.Value.object(object).bytes
    }

    private func send(_ desk: inout StopDesk, _ bridges: Set<String>, device: String? = nil, at now: Int = 0)
        throws
        -> Int
    {
        let number = desk.send("k", id: "7", device: device, bridges: bridges, at: .milliseconds(now))
        return try #require(number)
    }

    @Test("A stop is confirmed when each online bridge has answered any of its copies")
    func confirmed() throws {
        var desk = StopDesk()
        let number = try send(&desk, ["attic", "hall"])
        #expect(desk.outcome("k")?.silent == ["attic", "hall"])
        #expect(desk.answer(number, answer("attic", [["device": "belt", "status": "ok"]])) == "k")
        #expect(desk.outcome("k")?.isConfirmed == false && desk.outcome("k")?.silent == ["hall"])
        #expect(try send(&desk, ["attic", "hall"], at: 1_500) == number)
        _ = desk.answer(number, answer("hall", []))
        #expect(desk.outcome("k")?.isConfirmed == true && desk.outcome("k")?.answered == ["attic", "hall"])
        #expect(desk.sent("k") == .zero && desk.sent("other") == nil)
    }

    @Test("Without an online bridge nothing is confirmed; a bridge that goes offline is not waited for")
    func offline() throws {
        var desk = StopDesk()
        let number = try send(&desk, [])
        #expect(desk.outcome("k")?.isConfirmed == false)
        _ = try send(&desk, ["attic", "hall"], at: 100)
        _ = desk.answer(number, answer("attic", []))
        #expect(desk.outcome("k")?.isComplete == false)
        _ = try send(&desk, ["attic"], at: 200)
        #expect(desk.outcome("k")?.isConfirmed == true)
    }

    @Test(
        "Failed and unconfirmed devices are listed; an offline device has not failed"
    )
    func named() throws {
        var desk = StopDesk()
        let number = try send(&desk, ["attic"])
        let members: [JSON.Value] = [
            ["device": "belt", "status": "ok", "confirmed": false],
            ["device": "robot", "status": "error", "code": "timeout", "message": "no answer"],
            ["device": "tap", "status": "error", "code": "device_offline", "message": "away"],
        ]
        _ = desk.answer(number, answer("attic", members, status: "error"))
        let outcome = try #require(desk.outcome("k"))
        #expect(outcome.unconfirmed == ["belt"] && outcome.failed == ["robot": "no answer"])
        #expect(outcome.isComplete && !outcome.isConfirmed)
        // A later copy succeeds.
        _ = desk.answer(number, answer("attic", [["device": "robot", "status": "ok"]]))
        #expect(desk.outcome("k")?.isConfirmed == true)
    }

    @Test("Only a device's own bridge answers for it, without its name")
    func device() throws {
        var desk = StopDesk()
        let number = try send(&desk, ["attic"], device: "robot")
        _ = desk.answer(number, answer(nil, []))
        #expect(desk.outcome("k")?.isConfirmed == true)
        #expect(desk.answer(number + 1, answer(nil, [])) == nil && desk.answer(number, [0]) == nil)
    }

    @Test("Stops are removed after a while, and their number is limited")
    func bounded() throws {
        var desk = StopDesk()
        let known = (0..<3_000).compactMap {
            desk.send("\($0)", id: "\($0)", device: nil, bridges: ["a"], at: .zero)
        }
        #expect(known.count == 256)
        #expect(desk.send("new", id: "n", device: nil, bridges: ["a"], at: .seconds(16)) != nil)
        #expect(desk.sent("0") == nil)
    }
}
