import BridgeContract
import BridgeTesting
import Console
import DeviceCatalog
import Reference
import Testing

@Suite("The rights of the console's users")
struct GrantsTests {
    private func grants(_ roles: [Role]) -> Grants {
        Grants(roles, AccessList(BridgeSettings(id: "attic"), families: Registry.families))
    }

    @Test("Only typists may read typed text", arguments: Role.allCases.filter { $0 != .bridge })
    func typed(_ role: Role) {
        let grants = grants([role])
        for topic in ["tap/a1b2c3/tapped", "tap/a1b2c3/raw"] {
            #expect(grants.mayRead(topic) == (role == .typist || role == .console), "\(topic)")
        }
        #expect(grants.mayRead("tap/a1b2c3/battery"))
        #expect(!grants.mayRead("somewhere/else") && !grants.mayRead("belt/vibrate/set"))
    }

    @Test("Every role may stop", arguments: Role.allCases.filter { $0 != .bridge })
    func stop(_ role: Role) {
        let grants = grants([role])
        for topic in ["all/stop/set", "robot/stop/set", "robot/emergency_stop/set", "a/b/c/stop/set"] {
            #expect(grants.mayPublish(topic), "\(topic)")
        }
    }

    @Test(
        "A command requires the same role as in acl",
        arguments: ["robot/drive/set", "belt/vibrate/set", "bridge/x/request/rename"])
    func commands(_ topic: String) {
        let isDriving = topic.hasPrefix("robot")
        #expect(grants([.viewer]).mayPublish(topic) == false)
        #expect(grants([.operator]).mayPublish(topic) == !isDriving)
        #expect(grants([.driver]).mayPublish(topic) == isDriving)
        #expect(grants([.operator, .driver]).mayPublish(topic))
        #expect(grants([.operator, .driver]).isHazardous(topic) == isDriving)
    }

    @Test(
        "A harmless feature with the name of a hazardous or private one is not granted, and counts as hazardous"
    )
    func alike() throws {
        let list = AccessList(
            BridgeSettings(id: "attic"), families: Registry.families + [AlikeFamily()])
        let (others, driver) = (
            Grants([.viewer, .operator, .admin, .recorder, .restorer, .logReader], list),
            Grants([.driver], list)
        )
        for topic in [
            "lamp/x/power/set", "lamp/x/drive/set", "all/power/set", "all/robots/power/set", "a/b/drive/set",
        ] {
            #expect(!others.mayPublish(topic), "\(topic)")
        }
        #expect(driver.mayPublish("lamp/x/power/set") && driver.isHazardous("lamp/x/power/set"))
        #expect(!others.mayRead("lamp/x/tapped") && Grants([.typist], list).mayRead("lamp/x/tapped"))
        #expect(others.mayPublish("lamp/x/light/set") && !others.isHazardous("lamp/x/light/set"))
    }

    @Test(
        "A filter is valid for MQTT, and does not start with $",
        arguments: [
            ("belt/#", true), ("#", true), ("+/battery", true), ("a+/b", false), ("a/#/b", false),
            ("$SYS/#", false),
            ("", false), ("a\nb", false),
        ])
    func filters(_ filter: String, _ isOne: Bool) { #expect(Filters.isFilter(filter) == isOne) }

    @Test("A leading wildcard does not match topics that start with $")
    func own() {
        func matches(_ filter: String, _ topic: String) -> Bool { FilterSet([filter]).matches(topic) }
        #expect(!matches("#", "$SYS/broker/version") && !matches("+/a", "$x/a"))
        #expect(matches("#", "a/b") && matches("a/#", "a") && !matches("a/+", "a"))
        #expect(matches("a/+/c", "a/b/c") && !matches("a/+/c", "a/b") && matches("+/+", "a/"))
        let several = FilterSet(["a/b", "a/+/c", "x/#", "x"])
        #expect(["a/b", "a/q/c", "x", "x/y/z"].allSatisfy(several.matches))
        #expect(!["a", "a/c", "a/b/d", "y"].contains(where: several.matches))
    }

    @Test("Only the widest filters are subscribed")
    func widest() {
        #expect(
            Filters.widest(["belt/#", "belt/battery", "+/battery", "robot/status"]) == [
                "+/battery", "belt/#", "robot/status",
            ])
        #expect(Filters.widest(["#", "a/b", "+/c"]) == ["#"])
        #expect(Filters.widest(["a/+", "a/#"]) == ["a/#"])
        #expect(Filters.widest(["a/+/#", "+/b/#", "a/b/#", "a", "a/b"]) == ["+/b/#", "a", "a/+/#"])
    }

    @Test("A question is answered by its number, or reported as late once")
    func questions() throws {
        var questions = Questions()
        let (one, two) = (
            questions.ask(.init(tab: 1, id: "7", topic: "t", asked: .zero)),
            questions.ask(
                .init(tab: 2, id: "8", topic: "t", asked: .zero, patience: Questions.patience.drive))
        )
        let (first, second) = (try #require(one), try #require(two))
        #expect(questions.due == .seconds(1))
        let (answer, again) = (questions.answer(first), questions.answer(first))
        #expect(answer?.isFirst == true && again?.isFirst == false)
        let none = questions.late(at: .milliseconds(999))
        let late = questions.late(at: .seconds(1))
        let noMore = questions.late(at: .seconds(9))
        #expect(none.isEmpty && late.map(\.id) == ["8"] && noMore.isEmpty)
        // A bridge answers `connect` and `scan` only after a while.
        _ = questions.ask(.init(tab: 3, id: "9", topic: "t", asked: .zero))
        let waiting = questions.late(at: .seconds(30))
        let over = questions.late(at: .seconds(35))
        #expect(waiting.isEmpty && over.map(\.id) == ["9"])
        questions.leave(tab: 3)
        let lateAnswer = questions.answer(second)
        #expect(lateAnswer?.isFirst == false)
        questions.leave(tab: 1)
        let gone = questions.answer(first)
        #expect(gone == nil)
        var taken = 0
        for number in 0..<5000
        where questions.ask(.init(tab: number, id: "", topic: "", asked: .seconds(2))) != nil { taken += 1 }
        #expect(taken == 4_095)
        let later = questions.ask(.init(tab: 1, id: "", topic: "", asked: .seconds(100)))
        #expect(later != nil)
    }
}
