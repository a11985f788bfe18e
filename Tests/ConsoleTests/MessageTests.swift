import Console
import JSON
import Testing

@Suite("The messages of a page")
struct MessageTests {
    @Test("Every message of a page is parsed")
    func read() throws {
        func message(_ text: String) throws -> ClientMessage { try ClientMessage(Array(text.utf8)) }
        #expect(try message(#"{"type":"watch","filters":["belt/#"]}"#) == .watch(["belt/#"]))
        #expect(
            try message(#"{"type":"publish","id":"7","topic":"belt/vibrate/set","payload":"90"}"#)
                == .publish(id: "7", topic: "belt/vibrate/set", payload: "90"))
        #expect(
            try message(#"{"type":"press","device":"robot","hold":"x","take_over":true}"#)
                == .press(device: "robot", hold: "x", takesOver: true))
        #expect(
            try message(
                #"{"type":"drive","device":"robot","hold":"x","tick":17,"x":0.5,"y":0,"turn":-1,"id":"8"}"#)
                == .drive(
                    .init(
                        device: "robot", hold: "x", tick: 17, motion: ["x": 0.5, "y": 0, "turn": -1], id: "8")
                ))
        #expect(
            try message(#"{"type":"release","device":"robot","hold":"x"}"#)
                == .release(device: "robot", hold: "x"))
        #expect(
            try message(#"{"type":"may","id":"3","topic":"robot/drive/set"}"#)
                == .may(id: "3", topic: "robot/drive/set"))
        #expect(try message(#"{"type":"stop","id":"9"}"#) == .stop(device: nil, id: "9"))
        #expect(try message(#"{"type":"stop","device":"robot"}"#) == .stop(device: "robot", id: nil))
    }

    @Test(
        "A stop with an unreadable device stops all devices",
        arguments: [
            #""""#, #""$robot""#, #""robot/+""#, #""robot/#""#, #""robot/""#, "7", "null", "{}",
            "\"" + String(repeating: "r", count: 600) + "\"",
        ])
    func stop(_ device: String) throws {
        let text = Array("{\"type\":\"stop\",\"device\":\(device),\"id\":7}".utf8)
        #expect(try ClientMessage(text) == .stop(device: nil, id: nil))
        #expect(ClientMessage.stop(in: text) == .stop(device: nil, id: nil))
    }

    @Test(
        "An invalid message is answered with what is allowed",
        arguments: [
            ("[]", "an object"), ("{", "not a valid message"), (#"{"type":"fly"}"#, "one of watch"),
            (#"{"type":"watch","filters":["$SYS/#"]}"#, "topic filters"),
            (#"{"type":"watch","filters":["a",7]}"#, "topic filters"),
            (#"{"type":"publish","topic":"a"}"#, "payload: found nothing"),
            (#"{"type":"publish","payload":"a"}"#, "topic: found nothing"),
            (#"{"type":"press","device":"a/#","hold":"x"}"#, "a device's name"),
            (#"{"type":"drive","device":"robot","hold":"x","tick":1}"#, "x, y and turn"),
            (#"{"type":"drive","device":"robot","hold":"x","x":1}"#, "newest tick"),
            (#"{"type":"drive","device":"robot","hold":"x","tick":1,"x":"fast"}"#, "x: found \"fast\""),
        ])
    func refused(_ text: String, _ part: String) {
        let complaint = #expect(throws: ClientMessage.Complaint.self) { try ClientMessage(Array(text.utf8)) }
        #expect(complaint?.message.contains(part) == true, "\(complaint?.message ?? "")")
    }

    @Test("All pages receive the holder of a stick; only the holder's page receives the name of the press")
    func stick() {
        let holder: (tab: Int, user: String?, hold: String)? = (1, "anna", "x")
        #expect(Words.stick("robot", holder: holder, to: 1)["hold"] == "x")
        let other = Words.stick("robot", holder: holder, to: 2)
        #expect(other["hold"] == .null && other["holder"] == "anna" && other["yours"] == false)
        #expect(Words.stick("robot", holder: nil, to: 1)["holder"] == .null)
    }
}
