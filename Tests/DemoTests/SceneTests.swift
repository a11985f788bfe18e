import Testing

@testable import tactile_demo

@Suite("The scene of the demonstration")
struct SceneTests {
    private func events(_ lines: [String], prefix: String = "") -> [String] {
        var scene = Scene()
        scene.prefix = prefix
        for line in lines { scene.take(line, at: Sample.moment(1)) }
        return scene.events.map { "\($0.subject) \($0.words)" }
    }

    @Test(
        "A message is a line: commands as sent, answers with their content, events without their common fields",
        arguments: [
            (Sample.message("belt/vibrate/set", #"{"angle":90}"#), #"belt/vibrate/set {"angle":90}"#),
            (
                Sample.message(
                    "belt/result",
                    #"{"feature":"vibrate","status":"error","code":"wrong_mode","message":"needs app mode"}"#),
                "belt/result wrong_mode: needs app mode"
            ),
            (Sample.message("belt/result", #"{"feature":"mode","status":"ok"}"#), "belt/result mode ok"),
            (
                Sample.message("wrist/button", #"{"pressed":true,"time":"2026","seq":3}"#),
                "wrist/button pressed true"
            ),
            (
                Sample.message(
                    "tap/1/tapped", #"{"combination":5,"fingers":["thumb","middle"],"repeat":2,"seq":1}"#),
                "tap/1/tapped thumb+middle, 2 times"
            ),
            (
                Sample.message(
                    "belt/button",
                    #"{"button":"pause","press":"short","previous_mode":"wait","mode":"pause"}"#),
                "belt/button pause, short, wait to pause"
            ),
            (
                Sample.message(
                    "bridge/demo/response/reload", #"{"status":"error","message":"no such file"}"#),
                "bridge/demo/response/reload no such file"
            ),
            (
                Sample.message(
                    "bridge/demo/event", #"{"event":"config_reloaded","added":[],"changed":["x"]}"#),
                "bridge/demo/event config_reloaded, changed x"
            ),
            (Sample.message("belt/availability", "online", retained: true), "belt/availability online"),
            ("2026 bridge warning the broker is lost", "log 2026 bridge warning the broker is lost"),
        ])
    func line(heard: String, shown: String) { #expect(events([heard]) == [shown]) }

    @Test("Frequent messages, retained messages and messages of other programs produce no line")
    func silence() {
        let lines = [
            Sample.message("belt/orientation", #"{"heading":3}"#), Sample.message("belt/info", "{}"),
            Sample.message("homeassistant/device/x/config", "{}"),
            Sample.message("bridge/demo/devices", "[]"), Sample.message("belt/mode", "wait", retained: true),
            "",
        ]
        #expect(events(lines) == [])
        #expect(events([Sample.message("belt/mode", "app")], prefix: "demo/") == [])
        #expect(events([Sample.message("demo/belt/mode", "app")], prefix: "demo/") == ["demo/belt/mode app"])
    }

    @Test("Untrusted input cannot control the terminal")
    func printable() {
        #expect(events([Sample.message("belt/name/set", #"\u001b[2J"#)]).first?.contains("\u{1B}") == false)
        #expect(events(["\u{1B}[2J"]) == [#"log \u{1B}[2J"#])
    }

    @Test("Each device is drawn according to its reports and messages")
    func devices() {
        var scene = Sample.scene
        #expect(scene.belt.motors == [4: 50])
        #expect(scene.belt.line == "belt: app, heading 90°, battery 89.5 %, motor 4 at 50 %")
        #expect(scene.tap.tapped == ["thumb", "middle"])
        #expect(scene.tap.line == "tap: battery 87 %, at rest, thumb+middle")
        scene.take(#"{"device":"tap","event":"vibrate","on":true}"#, at: Sample.moment(6))
        #expect(scene.tap.isVibrating)
        scene.take(Sample.message("robot/status", #"{"power":true}"#), at: Sample.moment(6))
        scene.take(
            #"{"device":"robot","event":"wheels","left_front":-30,"right_front":-30,"left_rear":30,"right_rear":30}"#,
            at: Sample.moment(6))
        scene.take(
            #"{"device":"robot","event":"pose","x_mm":-250,"y_mm":1040,"heading":45}"#, at: Sample.moment(6))
        #expect(scene.robot.line == "robot: power, wheels -30 -30 30 30, x -0.3 m, y 1.0 m")
        scene.take(#"{"device":"robot","event":"link","connected":false}"#, at: Sample.moment(7))
        #expect(!scene.robot.hasPower && !scene.robot.isConnected)
        scene.take(#"{"device":"bracelet","event":"write","hex":"64"}"#, at: Sample.moment(7))
        #expect(scene.others.map(\.line) == ["bracelet: no link, 64"])
    }

    @Test("A tap is shown for a while")
    func tap() {
        var scene = Sample.scene
        scene.now = .seconds(5)
        #expect(Screen(scene, width: 80, height: 24).canvas.lines.contains { $0.contains("[1]") })
        scene.now = .seconds(6)
        #expect(!Screen(scene, width: 80, height: 24).canvas.lines.contains { $0.contains("[1]") })
    }

    @Test(
        "A typed line is an action or a message, turns the page, or is answered",
        arguments: [
            ("belt press home", Typed.act("belt press home")), ("  tap 5 ", .act("tap 5")),
            ("belt/vibrate/set 90", .message(topic: "belt/vibrate/set", payload: "90")),
            (
                #"robot/drive/set {"y": 1}"#,
                .message(topic: "robot/drive/set", payload: #"{"y": 1}"#)
            ),
            ("robot/stop/set", .message(topic: "robot/stop/set", payload: "")),
            ("belt/# 1", .nothing), ("mosquitto_pub -t belt/stop/set -n", .nothing), ("", .nothing),
            ("./run", .nothing),
        ])
    func type(line: String, becomes: Typed) {
        var scene = Scene()
        #expect(scene.type(line, at: Sample.moment(1)) == becomes)
        #expect(scene.events.contains { $0.style == .bad } == (becomes == .nothing && !line.isEmpty))
        #expect(scene.page == (line.isEmpty ? 1 : 0))
    }

    @Test(
        "Invalid input is answered, for example attempts to exit, or a command without set",
        arguments: [
            (
                "quit", Typed.nothing,
                "Ctrl-C ends the demonstration; Enter shows more lines that you can type"
            ),
            ("help", .nothing, "Ctrl-C ends the demonstration; Enter shows more lines that you can type"),
            (
                "belt/vibrate 90", .message(topic: "belt/vibrate", payload: "90"),
                "the bridge publishes belt/vibrate; send commands to belt/vibrate/set"
            ),
        ])
    func answered(line: String, becomes: Typed, words: String) {
        var scene = Scene()
        scene.take(Sample.message("belt/availability", "online", retained: true), at: Sample.moment(1))
        #expect(scene.type(line, at: Sample.moment(2)) == becomes)
        #expect(scene.events.last?.words == words)
    }

    @Test("A command to an unknown device is sent, and answered with the known devices")
    func nobody() {
        var scene = Scene()
        scene.take(Sample.message("belt/availability", "online"), at: Sample.moment(1))
        let count = scene.events.count
        for topic in ["claim/c0ffee00be01", "roster/c0ffee00be01", "homeassistant/device/x/config"] {
            scene.take(Sample.message(topic, #"{"v":1}"#), at: Sample.moment(1))
        }
        #expect(scene.events.count == count)
        let message = Typed.message(topic: "nosuch/thing/set", payload: "4")
        #expect(scene.type("nosuch/thing/set 4", at: Sample.moment(2)) == message)
        #expect(scene.events.last?.words == "there is no device nosuch; there are: belt, all")
        for line in ["belt/vibrate/set 90", "all/stop/set", "my/own/topic 1"] {
            let count = scene.events.count
            _ = scene.type(line, at: Sample.moment(3))
            // The line itself.
            #expect(scene.events.count == count + 1)
        }
    }

    @Test("The number of events is limited, however long the demonstration runs", arguments: [3, 300, 3000])
    func growth(count: Int) {
        var scene = Scene()
        for number in 0..<count {
            scene.take(Sample.message("d\(number)/power/set", "\(number)"), at: Sample.moment(1))
            scene.take(#"{"device":"d\#(number)","event":"link","connected":true}"#, at: Sample.moment(1))
        }
        #expect(scene.events.count == min(count * 2, Scene.mostEvents))
        #expect(scene.others.count == min(count, Scene.mostOthers))
        #expect(scene.eventCount == count * 2)
    }
}
