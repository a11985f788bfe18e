import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

// A belt over a Bluetooth proxy vibrates for 4 s. Whatever fails, it is silent within 5 s.
extension Fault {
    static let proxy: [Fault] = [
        Fault(
            .proxy, "the proxy restarts",
            holds: "the belt is silent within 5 s; its link ends 8 s after the restart; it obeys again",
            counted: "the restart … `online`", within: .seconds(40)
        ) { try proxyRestarts() },
        Fault(
            .proxy, "the proxy loses Wi-Fi for 5 s",
            holds: "the same, but the link ends at once; no command of this time reaches the belt",
            counted: "Wi-Fi is back … `online`", within: .seconds(15)
        ) { try proxyWithoutWiFi(for: .seconds(5)) },
        Fault(
            .proxy, "the proxy loses Wi-Fi for 200 s",
            holds: "the same; the belt is offline after 15 s",
            counted: "Wi-Fi is back … `online`", within: .seconds(75)
        ) { try proxyWithoutWiFi(for: takesItsTime ? .seconds(200) : .seconds(20)) },
        Fault(
            .proxy, "the network stalls for 5 s, and the proxy does not notice it",
            holds: "the belt is silent within 5 s; of five commands of this time, at most one reaches it",
            counted: "the network is back … `online`", within: .seconds(20)
        ) { try stalledProxy() },
        Fault(
            .proxy, "the proxy has another key",
            holds: "the belt is offline, and `problem` names the key",
            counted: "the proxy is back … `problem`", within: .seconds(30)
        ) { try proxyWithOtherKey() },
        Fault(
            .proxy, "another client subscribes, firmware 2026.6",
            holds: "the belt obeys; the other client reports who may have the proxy",
            counted: "the other client … its `problem`", within: .seconds(15)
        ) { try otherClient("2026.6") },
        Fault(
            .proxy, "another client subscribes, firmware 2026.10",
            holds: "the belt is silent within 5 s; a command is not answered `ok`, and ends the link",
            counted: "the command … the link's end", within: .seconds(4)
        ) { try otherClient("2026.10") },
        Fault(
            .proxy, "SIGKILL of the bridge, whose guardian was started again",
            holds: "the belt is silent within 5 s", counted: "SIGKILL … the link's end",
            within: TestProcess.isSanitized ? .seconds(5) : .milliseconds(100)
        ) { try killedWithProxy() },
        Fault(
            .proxy, "the bridge's host vanishes",
            holds: "the belt is silent within 5 s; the proxy keeps the link for 150 s; the belt obeys again",
            counted: "the host vanishes … the link's end",
            within: takesItsTime ? .seconds(160) : .seconds(15)
        ) { try vanishedHost() },
    ]

    private static func proxyRestarts() throws -> Duration {
        let it = try ProxyBelt()
        let start = EventLoop.now
        try it.proxy.type("proxy reboot")
        try it.expectSilence(andLinkEndWithin: .seconds(12))
        try it.expectReturn()
        return EventLoop.now - start
    }

    private static func proxyWithoutWiFi(for gap: Duration) throws -> Duration {
        let it = try ProxyBelt()
        let start = EventLoop.now
        try it.proxy.type("proxy wifi off")
        try it.expectSilence(andLinkEndWithin: .seconds(1))
        #expect(try it.command(motor: 3)["status"] != "ok")
        try it.watch(until: start + gap)
        let back = EventLoop.now
        let watcher = it.bench.bench.watcher
        while watcher.next(within: .milliseconds(20)) != nil {}
        let isOffline = watcher.seen.last { $0.topic == "belt/availability" }?.payload == "offline"
        #expect(isOffline || gap < .seconds(15))
        try it.proxy.type("proxy wifi on")
        try it.expectReturn(isOffline: isOffline)
        let time = EventLoop.now - back
        #expect(it.felt(motor: 3) == 0)
        return time
    }

    private static func stalledProxy() throws -> Duration {
        let it = try ProxyBelt(isRelayed: true)
        let start = EventLoop.now
        it.bench.relay?.set(.stalled(.both))
        let sender = try Publisher(it.bench.bench.broker, "belt/vibrate/set")
        for number in 0..<5 {
            try sender.send(ProxyBelt.command(motor: 3))
            try it.watch(until: start + .milliseconds(900) * (number + 1))
        }
        try it.watch(until: start + .seconds(5))
        try it.expectSilence()
        let back = EventLoop.now
        it.bench.relay?.set(.faithful)
        try it.expectReturn()
        let time = EventLoop.now - back
        #expect(it.felt(motor: 3) <= 1)
        return time
    }

    private static func proxyWithOtherKey() throws -> Duration {
        let it = try ProxyBelt()
        it.proxy.end(with: SIGKILL)
        let other = try ProxyBench.startProxy(
            try it.bench.bench.folder.write(belt, to: "other.yaml"), port: it.bench.port, options: [])
        defer { other.end(with: SIGKILL) }
        let start = EventLoop.now
        try it.bench.bench.watcher.expect("belt/availability", "offline", within: .seconds(20))
        try it.bench.bench.watcher.expect("bridge/test/info", within: .seconds(30), fromStart: true) {
            $0.json["adapters"]?.array?.contains { adapter in
                adapter["problem"]?.string?.contains("the key is wrong") == true
            } == true
        }
        return EventLoop.now - start
    }

    private static func otherClient(_ firmware: String) throws -> Duration {
        let it = try ProxyBelt(options: ["--firmware", firmware])
        let other = try Bench()
        let start = EventLoop.now
        try other.startBridge(
            configuration: ProxyBench.settings(port: it.bench.port),
            environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        try other.watcher.expect("bridge/test/info", within: .seconds(20)) { message in
            message.json["adapters"]?.array?.contains { adapter in
                firmware == "2026.10"
                    ? adapter["powered"] == true
                    : adapter["problem"]?.string?.contains("another client") == true
            } == true
        }
        let time = EventLoop.now - start
        if firmware == "2026.6" {
            #expect(try it.command(motor: 3)["status"] == "ok")
            return time
        }
        try it.expectSilence()
        let command = EventLoop.now
        #expect(try it.command(motor: 3)["status"] != "ok")
        try it.bench.expectLinkEnd("belt")
        return EventLoop.now - command
    }

    private static func killedWithProxy() throws -> Duration {
        let it = try ProxyBelt()
        let bridge = try #require(it.bench.bench.bridge?.pid)
        // A guardian that was started during the connection would inherit the socket if it were not close-on-exec.
        try TestProcess.run(["pkill", "-KILL", "-P", "\(bridge)"])
        try it.bench.bench.watcher.expect("bridge/test/info", within: .seconds(3)) {
            $0.json["guardian"] == true
        }
        let start = EventLoop.now
        try it.bench.bench.endBridge(with: SIGKILL)
        let end = try it.expectSilence(andLinkEndWithin: .seconds(5))
        return end - start
    }

    private static func vanishedHost() throws -> Duration {
        let silence = takesItsTime ? 150 : 8
        let it = try ProxyBelt(options: ["--silence", "\(silence)"])
        let start = EventLoop.now
        it.bench.bench.bridge?.sendAlone(SIGSTOP)
        let end = try it.expectSilence(andLinkEndWithin: .seconds(silence + 5))
        // The bridge had answered a ping at most two fifths of the time before.
        #expect(end - start > .seconds(silence) * 2 / 5, "the proxy ends the link by itself")
        it.bench.bench.bridge?.sendAlone(SIGCONT)
        try it.expectReturn()
        return end - start
    }
}
