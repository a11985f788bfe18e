import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let bus: [Fault] = [
        Fault(
            .bus, "daemon killed",
            holds: "devices go offline, commands are answered `device_offline`, all connections are restored",
            counted: "bus and BlueZ are back … `online`", within: .seconds(15)
        ) { try busKilled() },
        Fault(
            .bus, "the daemon never answers a call",
            holds: "abandoned after 10 s; the next command is carried out, and answered once",
            counted: "a command … its answer", within: .seconds(13)
        ) { try callUnanswered() },
    ]

    static let bluez: [Fault] = [
        Fault(
            .bluez, "killed",
            holds: "devices go offline with the reason; an event reports it",
            counted: "BlueZ is back … `online`", within: .seconds(2)
        ) { try bluezKilled() },
        Fault(
            .bluez, "adapter unplugged",
            holds: "devices go offline with the reason; an event reports it",
            counted: "the adapter is back … `online`", within: .seconds(5)
        ) { try adapterLost("remove", "add", reason: "no Bluetooth adapter") },
        Fault(
            .bluez, "adapter switched off",
            holds: "devices go offline with the reason; an event reports it",
            counted: "it is switched on … `online`", within: .seconds(5)
        ) { try adapterLost("off", "on", reason: "no Bluetooth adapter") },
        Fault(
            .bluez, "discovery refused three times",
            holds: "retried every second, reported in the log",
            counted: "the bridge's start … `online`", within: .seconds(10)
        ) {
            try refused(["StartDiscovery NotReady 3"], saying: "discovery does not start")
        },
        Fault(
            .bluez, "`InProgress` for discovery, subscribing, writing",
            holds: "repeated until BlueZ accepts the call",
            counted: "the bridge's start … `online`", within: .seconds(10)
        ) {
            try refused([
                "StartDiscovery InProgress 2", "StartNotify InProgress 3", "WriteValue InProgress 3",
            ])
        },
        Fault(
            .bluez, "`InProgress` for connecting, and no link results",
            holds: "the bridge waits for the link of another program, then connects",
            counted: "the bridge's start … `online`", within: .seconds(20)
        ) { try refused(["Connect InProgress 1"]) },
        Fault(
            .bluez, "reports that it discovers, but receives no advertisements",
            holds:
                "discovery restarts after 30 s without advertisements, so that BlueZ asks the kernel again",
            counted: "a device is switched on … `online`", within: .seconds(50)
        ) { try deaf() },
        Fault(
            .bluez, "stale GATT cache, twice in one run",
            holds: "the bridge removes the device from BlueZ and discovers it again",
            counted: "the link is lost … `online`", within: .seconds(15)
        ) { try staleCache() },
        Fault(
            .bluez, "different services after a firmware update",
            holds: "the new services are used",
            counted: "the link is lost … `online`", within: .seconds(5)
        ) { try updated(dropping: true) },
        Fault(
            .bluez, "services change during a connection (Service Changed)",
            holds: "the device is set up again, and its events arrive",
            counted: "the change … `online`", within: .seconds(5)
        ) { try updated(dropping: false) },
    ]

    static func busKilled() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        bench.bus.stop()
        try bench.watcher.expect("belt/availability", "offline")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "bluez_lost" }
        #expect(try bench.ask("belt/intensity/set", "55")["code"] == "device_offline")
        try bench.bus.start()
        try bench.startSimulator(scenario: belt)
        let time = try time {
            try bench.watcher.expect("belt/availability", "online", within: .seconds(15))
        }
        try bench.expectOK("belt/intensity/set", "55")
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        return time
    }

    static func callUnanswered() throws -> Duration {
        let bench = try Bench.withBelt(scenario: "devices: { belt: { choices: { keep_alive: 10min } } }")
        try bench.arrange(["bluez ignore WriteValue"])
        let time = try time {
            try bench.publish("belt/intensity/set", #"{"intensity":55,"id":1}"#)
            try bench.watcher.expect("belt/result", within: .seconds(15)) { $0.json["id"] == 1 }
        }
        #expect(time > .seconds(9), "the call that is not answered is not the command's")
        try bench.expectOK("belt/intensity/set", "60")
        #expect(bench.watcher.seen.count { $0.topic == "belt/result" && $0.json["id"] == 1 } == 1)
        return time
    }

    static func bluezKilled() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        try bench.killSimulator()
        try bench.watcher.expect("belt/availability", "offline")
        try bench.watcher.expect("bridge/test/event") { $0.json["event"] == "bluez_lost" }
        let connection = try #require(bench.watcher.seen.last { $0.topic == "belt/connection" }).json
        #expect(connection["state"] == "disconnected")
        #expect(connection["reason"]?.string?.isEmpty == false)
        try bench.startSimulator(scenario: belt)
        return try time { try bench.watcher.expect("belt/availability", "online", within: .seconds(10)) }
    }

    private static func adapterLost(_ off: String, _ on: String, reason: String) throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        try bench.act("adapter \(off)")
        var (isOffline, isTold, isExplained) = (false, false, false)
        while !(isOffline && isTold && isExplained) {
            let message = try #require(bench.watcher.next(within: .seconds(10)), "\(isOffline) \(isTold)")
            switch message.topic {
            case "belt/availability": isOffline = message.payload == "offline"
            case "bridge/test/event": isTold = isTold || message.json["event"] == "adapter_lost"
            case "belt/connection": isExplained = message.payload.contains(reason)
            default: break
            }
        }
        return try time {
            try bench.act("adapter \(on)")
            try bench.watcher.expect("belt/availability", "online", within: .seconds(15))
        }
    }

    private static func refused(_ faults: [String], saying text: String? = nil) throws -> Duration {
        let bench = try Bench()
        try bench.startSimulator(scenario: belt)
        try bench.arrange(faults.map { "bluez refuse \($0)" })
        let start = EventLoop.now
        let bridge = try bench.startBridge()
        if let text { try bridge.expectLine(text) }
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        let time = EventLoop.now - start
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }

    static func deaf() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        try bench.act("mute belt")
        try bench.watcher.expect("belt/availability", "offline", within: .seconds(20))
        try bench.act("bluez deaf")
        return try time {
            try bench.act("unmute belt")
            try bench.watcher.expect("belt/availability", "online", within: .seconds(60))
        }
    }

    static func staleCache() throws -> Duration {
        let bench = try Bench.withBelt(scenario: "bluez: { disconnect_time: 50ms }\ndevices: { belt: }")
        var times: [Duration] = []
        for intensity in [45, 55] {
            try bench.act("bluez stale belt")
            times.append(
                try time {
                    try bench.act("drop belt")
                    try bench.watcher.expect("belt/availability", "offline")
                    try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
                })
            try bench.expectOK("belt/intensity/set", "\(intensity)")
        }
        print("stale twice: \(times)")
        return times.max() ?? .zero
    }

    private static func updated(dropping: Bool) throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let start = EventLoop.now
        try bench.act("bluez update belt")
        if dropping { try bench.act("drop belt") }
        try bench.watcher.expect("belt/availability", "offline")
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        let time = EventLoop.now - start
        try bench.act("belt press home")
        try bench.watcher.expect("belt/button")
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }
}
