import BridgeTesting
import Claims
import DeviceKit
import Haptics
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Command desk of a device")
struct CommandDeskTests {
    private func desk(_ family: SampleFamily = SampleFamily(), isHazardous: Bool = false) -> CommandDesk {
        CommandDesk(
            family: family, features: FeatureTable(family), patterns: Library(), isHazardous: isHazardous)
    }

    private func request(
        _ feature: String, _ payload: String = "1", at arrival: Duration = .zero
    ) -> CommandRequest {
        CommandRequest(
            IncomingMessage(
                topic: "sample/\(feature)/set", payload: Array(payload.utf8), arrival: arrival),
            feature: feature)
    }

    private var unknown: TopicOwnership {
        TopicOwnership(bridge: "attic", address: BridgeSettings.sample, isConfigured: true)
    }
    private var ours: TopicOwnership {
        var ownership = unknown
        _ = ownership.linked(.none)
        return ownership
    }
    private var others: TopicOwnership {
        var ownership = unknown
        let claim = Claim(bridge: "cellar", epoch: 1, state: .linked)
        _ = ownership.heard(claim, .all(.alive), at: .zero)
        return ownership
    }

    private func receive(
        _ desk: inout CommandDesk, _ request: CommandRequest, _ ownership: TopicOwnership,
        isReady: Bool = true, isFinished: Bool = false
    ) -> String {
        let step = desk.receive(
            desk.found(request), ownership, name: "sample", isReady: isReady, isFinished: isFinished)
        return step.map(describe) ?? "waits"
    }

    private func describe(_ step: CommandDesk.Step) -> String {
        switch step {
        case .execute(let request): "execute \(request.feature)"
        case .refuse(let command, let error): "refuse \(command.request.feature): \(error.code.rawValue)"
        case .leave(let request): "leave \(request.feature)"
        }
    }

    private func admit(
        _ desk: inout CommandDesk, _ request: CommandRequest, at now: Duration = .zero, isReady: Bool = true,
        isOpen: Bool = true
    ) throws(CommandError) -> CommandDesk.Admission {
        let executor = ManualExecutor()
        let situation = CommandDesk.Situation(
            name: "sample", now: now, date: TimeStamp(milliseconds: 0),
            clock: ExpiryClock(time: VirtualTime(executor: executor)) {}, gate: nil, isReady: isReady,
            isOpen: isOpen)
        return try desk.admit(desk.found(request), situation, offline: CommandError(.deviceOffline, "away"))
    }

    private func refusal(
        _ desk: inout CommandDesk, _ request: CommandRequest, at now: Duration = .zero, isReady: Bool = true
    ) -> CommandError.Code? {
        do throws(CommandError) {
            _ = try admit(&desk, request, at: now, isReady: isReady)
            return nil
        } catch { return error.code }
    }

    // MARK: Arrival

    @Test("The owner of the topics decides whether a command is executed, waits or is left to another bridge")
    func arrival() {
        var desk = desk()
        #expect(receive(&desk, request("level"), ours) == "execute level")
        #expect(receive(&desk, request("level"), others) == "leave level")
        #expect(receive(&desk, request("level"), unknown) == "waits")
        // A usable device is stopped whichever bridge owns its topics.
        #expect(receive(&desk, request("halt"), others) == "execute halt")
        #expect(receive(&desk, request("halt"), others, isReady: false) == "leave halt")
        // At the end of a session the owner can no longer become known.
        #expect(receive(&desk, request("level"), unknown, isFinished: true) == "execute level")
    }

    @Test("Waiting commands are executed in order, except those that a stop followed")
    func waiting() {
        var desk = desk()
        for (index, feature) in ["level", "halt", "mode"].enumerated() {
            let request = request(feature, "slow", at: .milliseconds(index))
            #expect(receive(&desk, request, unknown, isReady: false) == "waits")
        }
        let steps = desk.takeWaiting(isOurs: true).map(describe)
        #expect(steps == ["refuse level: device_error", "execute halt", "execute mode"])
        #expect(desk.takeWaiting(isOurs: true).isEmpty)
    }

    @Test("Waiting commands are left to the owner of the topics, or refused at the end")
    func left() {
        var desk = desk()
        for feature in ["level", "mode"] { _ = receive(&desk, request(feature), unknown) }
        var other = desk
        #expect(desk.takeWaiting(isOurs: false).map(describe) == ["leave level", "leave mode"])
        let refused = other.refuseWaiting(CommandError(.deviceOffline, "over")).map(describe)
        #expect(refused == ["refuse level: device_offline", "refuse mode: device_offline"])
    }

    @Test("The second copy of a hazardous device's stop is detected")
    func copies() {
        var desk = desk(isHazardous: true)
        for isCopy in [false, true] {
            let step = desk.receive(
                desk.found(request("halt")), ours, name: "sample", isReady: true, isFinished: false)
            guard case .execute(let request)? = step else {
                Issue.record("not carried out")
                continue
            }
            #expect(request.isCopy == isCopy)
        }
    }

    // MARK: Admission

    @Test(
        "A command is refused for the first applicable reason",
        arguments: [
            ("nothing", "1", true, .unknownFeature), ("level", "500", true, .outOfRange),
            ("level", "5", false, .deviceOffline), ("haptic", "{}", true, .notSupported),
            ("aim", "5", false, nil), ("level", "5", true, nil),
        ] as [(String, String, Bool, CommandError.Code?)])
    func refusals(feature: String, payload: String, isReady: Bool, code: CommandError.Code?) {
        var desk = desk()
        #expect(refusal(&desk, request(feature, payload), isReady: isReady) == code)
    }

    @Test("A command that arrived before a stop of the whole device is dropped, a stop is not")
    func overtaken() {
        var desk = desk()
        _ = receive(&desk, request("halt", at: .seconds(2)), ours)
        #expect(refusal(&desk, request("level", at: .seconds(1))) == .deviceError)
        #expect(refusal(&desk, request("halt", at: .seconds(1))) == nil)
        #expect(refusal(&desk, request("level", at: .seconds(2))) == nil)
    }

    @Test(
        "A command that is too old is refused; after a stall every command is, until the bridge has caught up"
    )
    func stale() {
        var family = SampleFamily()
        family.isFleeting = true
        var desk = desk(family)
        #expect(refusal(&desk, request("aim"), at: .milliseconds(250)) == nil)
        #expect(refusal(&desk, request("aim"), at: .milliseconds(251)) == CommandError.Reason.stall.code)
        #expect(refusal(&desk, request("level"), at: .milliseconds(251)) == nil)
        desk.quarantine(at: .seconds(1))
        let late = Duration.seconds(2)
        #expect(refusal(&desk, request("level", at: late), at: late) == CommandError.Reason.stall.code)
        #expect(refusal(&desk, request("halt", at: late), at: late) == nil)
        desk.endQuarantine()
        #expect(refusal(&desk, request("level", at: late), at: late) == nil)
        #expect(refusal(&desk, request("level"), at: late) == .deviceError)
    }

    @Test("The rate of commands is limited, except for stops and commands of which only the newest matters")
    func rate() throws {
        var desk = desk()
        for _ in 0..<500 {
            let admission = try admit(&desk, request("level"))
            #expect(desk.close(admission.id) != nil)
        }
        #expect(refusal(&desk, request("level")) == .rateLimited)
        #expect(refusal(&desk, request("aim")) == nil)
        #expect(refusal(&desk, request("halt")) == nil)
    }

    @Test("The number of open commands is limited, except for stops")
    func busy() {
        var desk = desk()
        for _ in 0..<WaitingCommands.capacity { #expect(refusal(&desk, request("level")) == nil) }
        #expect(refusal(&desk, request("level")) == .busy)
        #expect(refusal(&desk, request("halt")) == nil)
        #expect(desk.openIDs.count == WaitingCommands.capacity + 1)
    }

    @Test("A command is answered once")
    func answer() throws {
        var desk = desk()
        let admission = try admit(&desk, request("level", #"{"level":5,"id":7}"#))
        #expect(desk.openIDs == [admission.id] && !admission.isDone)
        let command = desk.close(admission.id)
        #expect(command?.id == 7 && desk.close(admission.id) == nil)
        let object = command?.message(.ok, after: .milliseconds(3), at: TimeStamp(milliseconds: 0))
        #expect(object?["id"] == 7 && object?["feature"] == "level" && object?["elapsed_ms"] == 3)
    }

    @Test("The success of a command of which only the newest matters is sent only on request")
    func quiet() {
        let date = TimeStamp(milliseconds: 0)
        var command = PendingCommand(request: request("aim"), id: nil, isQuiet: true)
        #expect(command.message(.ok, after: .zero, at: date) == nil)
        #expect(command.message(.failed(.busy, "later"), after: .zero, at: date)?["code"] == "busy")
        command.request.responseTopic = "reply"
        #expect(command.message(.ok, after: .zero, at: date) != nil)
    }

    // MARK: Haptics

    @Test(
        "A timed pattern starts earlier by the duration of a write",
        arguments: [
            (3000, 2950), (0, 0), (-1000, 0), (-1001, nil), (10_000, 9950), (10_001, nil),
        ] as [(Int64, Int?)])
    func moment(ahead: Int64, delay: Int?) throws {
        let desk = desk()
        let arguments: Arguments = [
            "pattern": "heavy", "at": .string(TimeStamp(milliseconds: 50_000 + ahead).description),
        ]
        let resolved = try? desk.resolve(
            request("haptic"), arguments, now: .zero, date: TimeStamp(milliseconds: 50_000))
        #expect(resolved?.integer("delay_ms") == delay)
    }
}
