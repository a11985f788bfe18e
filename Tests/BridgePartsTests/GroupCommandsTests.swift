import DeviceKit
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Open commands to groups")
struct GroupCommandsTests {
    private func request(responseTopic: String? = nil) -> CommandRequest {
        CommandRequest(
            IncomingMessage(topic: "all/level/set", payload: [], responseTopic: responseTopic),
            feature: "level")
    }

    private func command(_ devices: String...) -> GroupCommand {
        GroupCommand(group: "all", request: request(), devices: devices)
    }

    @Test("A command is done when each member has answered once, independently of other commands")
    func members() {
        var commands = GroupCommands()
        let first = commands.begin(command("a", "b"))
        let second = commands.begin(command("c"))
        #expect(first != second)
        commands.take(.ok, of: 0, in: first, at: .zero)
        commands.take(.ok, of: 0, in: first, at: .zero)
        #expect(commands.finish(first)?.group == nil)
        commands.take(nil, of: 0, in: second, at: .zero)
        #expect(commands.finish(second)?.group == "all")
        commands.take(.ok, of: 1, in: first, at: .zero)
        #expect(commands.finish(first)?.group == "all")
        #expect(commands.finish(first)?.group == nil)
        #expect(commands.finish(99)?.group == nil)
    }

    @Test("A command without members is done immediately")
    func empty() {
        var commands = GroupCommands()
        let number = commands.begin(command())
        #expect(commands.finish(number)?.group == "all")
    }

    @Test("Results are numbered per group, except for answers to a chosen topic")
    func numbers() {
        var commands = GroupCommands()
        var number = commands.number(of: request(), to: "all")
        #expect(number == 1)
        number = commands.number(of: request(responseTopic: "reply/1"), to: "all")
        #expect(number == 1)
        number = commands.number(of: request(), to: "all")
        #expect(number == 2)
        number = commands.number(of: request(), to: "all/belts")
        #expect(number == 1)
    }
}
