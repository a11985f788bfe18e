import Bluetooth
import BridgeContract
import DeviceKit
import HostServices
import Logging
import Testing

@testable import Guardian

@Suite("Messages of the bridge to its guardian")
struct GuardianMessageTests {
    static let robot = LinkWill(
        device: "/org/bluez/hci0/dev_01", isSafetyCritical: true, stopsWithoutLink: true,
        writes: [
            LinkWill.Write(
                path: "/org/bluez/hci0/dev_01/a", value: Array("0.00".utf8), kind: .withoutResponse,
                isReadBack: true),
            LinkWill.Write(path: "/org/bluez/hci0/dev_01/b", value: [], kind: .withResponse),
        ], deadline: .nanoseconds(1_234_567_890_123),
        deadlineWrites: [
            LinkWill.Write(path: "/org/bluez/hci0/dev_01/a", value: [0, 255], kind: .withoutResponse)
        ])
    static let belt = LinkWill(
        device: "/org/bluez/hci0/dev_02",
        writes: [LinkWill.Write(path: "/x", value: [0x30, 0xFF], kind: .withResponse)])
    static let keyboard = LinkWill(
        device: "/org/bluez/hci0/dev_03", isShared: true,
        writes: [LinkWill.Write(path: "/y", value: [3], kind: .withResponse)])

    @Test(
        "A formatted message is parsed to the same message",
        arguments: [
            GuardianMessage.keep(robot), .keep(belt), .keep(keyboard),
            .keep(LinkWill(device: "/d", writes: [])),
            .release(device: "/org/bluez/hci0/dev_01"), .goodbye, .carryOut(robot), .carryOut(belt),
            .ping(0), .ping(.max), .claim(name: "org.x.A1", sign: "org.x.A1.Gattic"),
            .unclaim(name: "org.x.A1"),
        ])
    func roundTrip(_ message: GuardianMessage) {
        #expect(GuardianMessage(message.text) == message)
    }

    @Test("The lines are readable")
    func text() {
        #expect(
            GuardianMessage.keep(Self.robot).text
                == "keep /org/bluez/hci0/dev_01 urgent-linked 1234567890123 command+read:/org/bluez/hci0/dev_01/a:302e3030 "
                + "request:/org/bluez/hci0/dev_01/b: / command:/org/bluez/hci0/dev_01/a:00ff")
        #expect(
            GuardianMessage.keep(Self.belt).text
                == "keep /org/bluez/hci0/dev_02 plain - request:/x:30ff /")
        #expect(
            GuardianMessage.carryOut(Self.belt).text
                == "carry-out /org/bluez/hci0/dev_02 plain - request:/x:30ff /")
        #expect(
            GuardianMessage.keep(Self.keyboard).text
                == "keep /org/bluez/hci0/dev_03 plain-shared - request:/y:03 /")
    }

    @Test(
        "An invalid message is rejected",
        arguments: [
            "", " ", "goodbye now", "release", "release /a /b", "keep", "keep /a urgent - request:/x:00",
            "keep /a often - /", "keep /a shared - /", "keep /a plain-share - /", "keep /a plain- - /",
            "keep /a linked - /", "keep /a plain soon /",
            "keep /a plain - request:/x:0 /",
            "keep /a plain - write:/x:00 /", "keep /a plain - request:x:00 /", "keep /a plain - request:/x /",
            "keep /a plain - / request:/x:00 /", "KEEP /a plain - /",
            "ping", "ping -1", "ping 1 2", "carry-out", "carry-out /a", "keep /a plain - +read:/x:00 /",
            "keep /a plain - request+reads:/x:00 /", "claim a.b", "claim a.b a.b.G c", "unclaim",
            "unclaim a b",
        ])
    func nonsense(_ line: String) {
        #expect(GuardianMessage(line) == nil)
    }
}

@Suite("Messages of the guardian to its bridge")
struct GuardianReplyTests {
    @Test(
        "A formatted reply is readable and parsed to the same reply",
        arguments: [
            (GuardianReply.ready, "ready"), (.onBus, "on-bus"), (.pong(7), "pong 7"), (.noBus(0), "no-bus 0"),
            (.noBus(7), "no-bus 7"), (.confirmed(device: "/d"), "confirmed /d"),
            (.unconfirmed(device: "/d"), "unconfirmed /d"), (.finished(device: "/d"), "finished /d"),
            (.queued(name: "a.b"), "queued a.b"), (.left(name: "a.b"), "left a.b"),
        ])
    func roundTrip(_ reply: GuardianReply, _ text: String) {
        #expect(reply.text == text)
        #expect(GuardianReply(text) == reply)
    }

    @Test(
        "An invalid reply is rejected",
        arguments: [
            "", "ready now", "pong", "pong x", "no-bus", "no-bus x", "on-bus 1", "confirmed", "queued",
            "left a b",
        ])
    func nonsense(_ line: String) {
        #expect(GuardianReply(line) == nil)
    }
}

@Suite("Options of a guardian process")
struct GuardianOptionsTests {
    @Test("Formatted arguments are parsed to the same options, and other arguments are rejected")
    func roundTrip() throws {
        let options = GuardianOptions(
            bus: "unix:path=/run/x y", folder: "", time: .seconds(60), logLevel: .debug, logFormat: .json)
        #expect(GuardianOptions(options.arguments) == options)
        #expect(options.file == nil && options.lock == nil)
        #expect(GuardianOptions(options.arguments.dropLast()) == nil)
        #expect(GuardianOptions(["run"] + options.arguments.dropFirst()) == nil)
    }
}

@Suite("Splitting a stream into lines")
struct LineBufferTests {
    private static let messages: [GuardianMessage] = [
        .keep(GuardianMessageTests.robot), .release(device: "/d"), .keep(GuardianMessageTests.belt), .goodbye,
    ]

    @Test("Messages arrive complete and in order, however the stream is split", arguments: 1...64)
    func torn(_ size: Int) {
        let bytes = Self.messages.flatMap(\.line)
        var buffer = LineBuffer()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += buffer.append(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(lines.map { GuardianMessage($0) } == Self.messages)
    }

    @Test("An incomplete line is kept")
    func unfinished() {
        var buffer = LineBuffer()
        let parts = ["goodby", "e", "\n\nrel", "ease\n"].map { buffer.append($0.utf8) }
        #expect(parts == [[], [], ["goodbye", ""], ["release"]])
    }

    @Test("A line that is too long or not text is ignored, and the next line is read")
    func garbage() {
        var buffer = LineBuffer()
        let long = buffer.append(repeatElement(0x61, count: 2 * LineBuffer.maximumLength))
        #expect(long == [])
        let rest = buffer.append([0x61, 0x0A, 0xFF, 0xC0, 0x0A] + Array("goodbye\n".utf8))
        #expect(rest == ["goodbye"])
    }
}
