import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The robot over MQTT, from a shell to its wheels", .serialized)
struct RobotTests {
    @Test(
        "A drive moves the wheels as documented, and they stop within 120 ms after its lease",
        arguments: [100, 300, 1000])
    func lease(milliseconds: Int) throws {
        let it = try RobotBench()
        #expect(try it.bench.ask("robot/weapon/set", "on")["status"] == "ok")
        try it.robot.expectWeapon(true)
        let driver = try Publisher(it.bench.broker, "robot/drive/set")
        // The publisher's connection time must not count against the lease.
        try driver.send(#"{"speed":2}"#)
        try it.bench.watcher.expect("robot/result") { $0.json["code"] == "out_of_range" }
        let start = try driver.send(#"{"direction":90,"speed":1,"duration_ms":\#(milliseconds)}"#)
        try it.robot.expect("wheels") {
            $0["event"] == "wheels" && $0["left_front"] == 101 && $0["right_front"] == -101
                && $0["left_rear"] == 101 && $0["right_rear"] == -101
        }
        try it.expectRest(
            since: start, within: .milliseconds(milliseconds + 120), "lease of \(milliseconds) ms")
        let status = try it.bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "lease" }.json
        #expect(status["moving"] == false && status["power"] == true && status["weapon"] == false)
        it.expectStillness(for: .seconds(2), "after the lease")
    }

    @Test("Every word for off switches the weapon off, and no rejection suggests switching it on")
    func weaponOff() throws {
        let it = try RobotBench()
        for off in ["OFF", "Off", "False", "FALSE", " off ", "no", #"{"weapon":"OFF"}"#] {
            let on = try it.bench.ask("robot/weapon/set", #"{"weapon":true,"duration_ms":2000}"#)
            #expect(on["status"] == "ok", "\(on)")
            try it.robot.expectWeapon(true)
            #expect(try it.bench.ask("robot/weapon/set", off)["status"] == "ok", "\(off)")
            try it.robot.expectWeapon(false)
        }
        for word in ["ON", "On", "yes", "maybe"] {
            let refused = try it.bench.ask("robot/weapon/set", word)
            #expect(refused["code"] == "invalid_value")
            #expect(refused["message"]?.string?.hasSuffix("mosquitto_pub -t robot/weapon/set -m off") == true)
        }
    }

    @Test("A killed broker stops the robot within a second, and its return resumes nothing")
    func brokerKilled() throws {
        let it = try RobotBench()
        try it.race()
        let start = EventLoop.now
        it.bench.broker.kill()
        try it.expectRest(since: start, within: .seconds(1), "broker killed")
        try it.bench.broker.start()
        let watcher = try it.bench.watchAnew()
        try watcher.expect("robot/status", fromStart: true) {
            $0.json["stopped_by"] == "broker_lost" && $0.json["power"] == false
        }
        try it.expectFreshStart("broker back")
    }

    @Test("kill -TERM stops the robot within 300 ms; power off is the last write before the disconnect")
    func terminated() throws {
        let it = try RobotBench()
        try it.race()
        let start = EventLoop.now
        it.bench.bridge?.send(SIGTERM)
        try it.expectRest(since: start, within: .milliseconds(300), "kill -TERM")
        #expect(try it.bench.endBridge(with: SIGTERM) == 0)
    }

    @Test("A lost connection resumes nothing after the reconnect")
    func linkLost() throws {
        let it = try RobotBench()
        try it.race()
        let start = EventLoop.now
        try it.bench.act("drop robot")
        try it.expectRest(since: start, within: .seconds(1), "link lost")
        try it.bench.watcher.expect("robot/status") { $0.json["stopped_by"] == "link_lost" }
        try it.bench.watcher.expect("robot/availability", "online")
        try it.expectFreshStart("link back")
    }

    @Test("An adapter that is switched off resumes nothing when it is on again")
    func adapterLost() throws {
        let it = try RobotBench()
        try it.race()
        let start = EventLoop.now
        try it.switchAdapter(isOn: false)
        try it.expectRest(since: start, within: .seconds(1), "adapter lost")
        try it.bench.watcher.expect("robot/availability", "offline")
        try it.switchAdapter(isOn: true)
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(20))
        try it.expectFreshStart("adapter back")
    }

    @Test("An emergency stop with any payload is executed, and survives a restart and power_on_connect")
    func emergency() throws {
        let it = try RobotBench(configuration: "robot: { allow_weapon: true, power_on_connect: true }\n")
        try it.race()
        let start = EventLoop.now
        try it.bench.publish("robot/emergency_stop/set", "{ this is no JSON", ["-r"])
        try it.expectRest(since: start, within: .seconds(1), "emergency stop")
        try it.bench.publish("robot/emergency_stop/set", "", ["-r"])
        let status = try it.bench.watcher.expect("robot/status") { $0.json["emergency_stop"] == true }.json
        #expect(status["power"] == false && status["stopped_by"] == "emergency_stop")
        try it.expectOpen()
        #expect(try it.bench.ask("robot/drive/set", RobotBench.fullSpeed)["code"] == "wrong_mode")
        #expect(try it.bench.endBridge(with: SIGTERM) == 0)
        try it.bench.startBridge(configuration: "robot: { allow_weapon: true, power_on_connect: true }\n")
        let later = try it.bench.watchAnew()
        try later.expect("robot/status", fromStart: true) { message in
            message.json["connection"] == "connected" && message.json["emergency_stop"] == true
        }
        it.expectStillness(for: .seconds(4), "after the restart")
        try it.powerOn()
        try later.expect("robot/status") { $0.json["emergency_stop"] == false && $0.json["power"] == true }
        try it.expectFreshStart("released")
    }

    @Test("An emergency stop that three read-backs do not confirm disconnects the robot to cut its power")
    func refused() throws {
        let it = try RobotBench()
        try it.race()
        try it.bench.arrange(["robot refuse 3"])
        let start = EventLoop.now
        let answer = try it.bench.ask("robot/emergency_stop/set", "")
        #expect(answer["code"] == "device_error", "\(answer)")
        try it.expectRest(since: start, within: .seconds(1), "emergency stop, denied")
        try it.robot.expect("the end of the link") { $0["event"] == "link" && $0["connected"] == false }
        try it.bench.watcher.expect("robot/availability", "offline")
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(20))
        try it.expectFreshStart("connected again")
    }

    @Test("Repeated power-on messages of a program do not prolong a stop that left the power on")
    func repeatedPower() throws {
        let it = try RobotBench()
        try it.bench.expectOK("robot/stop/set", "")
        let start = EventLoop.now
        var answers: [String] = []
        repeat {
            answers.append(try it.bench.ask("robot/power/set", "on")["code"]?.string ?? "ok")
        } while answers.last != "ok" && EventLoop.now - start < .seconds(10)
        let time = EventLoop.now - start
        print("power on, repeated \(answers.count) times after a stop: taken after \(time)")
        #expect(answers.first == "stopped" && answers.last == "ok", "\(Set(answers))")
        #expect(time < .seconds(3))
    }

    @Test("all/stop stops the robot; retained and expired drives do not move it")
    func gates() throws {
        let it = try RobotBench()
        try it.race()
        let start = EventLoop.now
        try it.bench.publish("all/stop/set", "now", ["-r"])
        try it.expectRest(since: start, within: .seconds(1), "all/stop")
        try it.bench.publish("all/stop/set", "", ["-r"])
        try it.bench.watcher.expect("robot/status") {
            $0.json["stopped_by"] == "all_stop" && $0.json["power"] == false
        }
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed, ["-r"])
        try it.bench.watcher.expect("robot/result") { $0.json["code"] == "retained_command" }
        try it.bench.publish("robot/drive/set", "", ["-r"])
        let old = #"{"speed":1,"expires":"2026-01-31T12:00:00.000Z"}"#
        let expired = try it.bench.ask("robot/drive/set", old)
        #expect(expired["code"] == "expired")
        #expect(expired["reason"] == (EventLoop.isCalendarSynchronised == false ? "clock" : nil))
        for (payload, code) in [
            (#"{"speed":NaN}"#, "invalid_payload"), (#"{"speed":1e999}"#, "invalid_payload"),
            (#"{"speed":"1"}"#, "invalid_value"), (#"{"speed":1.01}"#, "out_of_range"),
            (#"{"direction":361,"speed":1}"#, "out_of_range"),
            (#"{"direction":-1,"speed":1}"#, "out_of_range"),
            (#"{"direction":0,"speed":1,"x":0.5,"y":0.5}"#, "invalid_value"),
        ] {
            #expect(try it.bench.ask("robot/drive/set", payload)["code"]?.string == code, "\(payload)")
        }
        try it.powerOn()
        #expect(try it.bench.ask("robot/power/set", "off")["status"] == "ok")
        #expect(try it.bench.ask("robot/drive/set", RobotBench.fullSpeed)["code"] == "wrong_mode")
        it.expectStillness(for: .seconds(1), "refused drives")
    }
}

extension RobotBench {
    /// Switches the simulated adapter on or off, as `bluetoothctl power` does.
    fileprivate func switchAdapter(isOn: Bool) throws {
        try TestProcess.run([
            "dbus-send", "--bus=\(bench.bus.address.description)", "--dest=org.bluez", "--print-reply",
            "/org/bluez/hci0", "org.freedesktop.DBus.Properties.Set", "string:org.bluez.Adapter1",
            "string:Powered", "variant:boolean:\(isOn)",
        ])
    }
}
