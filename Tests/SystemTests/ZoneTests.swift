import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Zones of a fleet of two hosts", .serialized)
struct ZoneTests {
    @Test("A belt is in the zone of its host: commands, stops and the states of the groups follow it")
    func belt() throws {
        let it = try AirBench("belt", hasZones: true)
        let bench = it.bench
        let watcher = bench.watcher
        try bench.publish("belt/navigation/set", "90")
        try watcher.expect("belt/mode", "app")
        let count = watcher.seen.count
        let elsewhere = try bench.ask("zone/zone-b/stop/set", "now")
        #expect(elsewhere["bridge"] == "b" && elsewhere["members"] == [], "\(elsewhere)")
        try bench.publish("marker", "")
        try watcher.expect("marker")
        let isStopped = watcher.seen[count...].contains { $0.topic == "belt/mode" }
        #expect(!isStopped, "the stop is for the other zone")
        let stopped = try bench.ask("zone/zone-a/stop/set", "{ this is no JSON")
        #expect(stopped["status"] == "ok" && stopped["bridge"] == "a", "\(stopped)")
        #expect(stopped["members"]?.array?.map { $0["device"] } == ["belt"])
        try watcher.expect("belt/mode", "wait")
        try watcher.expect("bridge/a/groups/zone/zone-a", fromStart: true) { $0.json["online"] == 1 }

        try it.roam("belt", to: .b)
        let answer = try bench.ask("zone/zone-b/intensity/set", "55")
        #expect(answer["members"]?.array?.map { $0["status"] } == ["ok"], "\(answer)")
        try watcher.expect("belt/intensity", "55")
        #expect(try bench.ask("zone/zone-a/intensity/set", "70")["members"] == [])
        let pattern = try bench.ask("zone/zone-b/haptic/set", #"{"pattern":"gradual","intensity":0.6}"#)
        #expect(pattern["status"] == "ok", "\(pattern)")
        try watcher.expect("bridge/b/groups/zone/zone-b", fromStart: true) {
            $0.json["members"] == 1 && $0.json["online"] == 1 && $0.json["lowest_battery"]?.double != nil
        }
        try watcher.expect("bridge/a/groups/all", fromStart: true) {
            $0.json["members"] == 0 && $0.json["online"] == 0
        }
        let rows = try it.fleet(["devices", "--groups", "--json"]).lines
        let all = try #require(rows.first { $0["group"] == "all" })
        #expect(all["members"] == 1 && all["online"] == 1 && all["bridges"] == ["a", "b"], "\(all)")
        #expect(rows.contains { $0["group"] == "zone/zone-b" && $0["online"] == 1 }, "\(rows)")
    }

    @Test("The stop of a zone stops a robot that drives there and cuts its power")
    func robot() throws {
        let it = try AirBench(
            "robot", configuration: "robot: { power_on_connect: true }\n", permits: true, hasZones: true)
        let watcher = it.bench.watcher
        try watcher.expect("robot/status", fromStart: true) { $0.json["power"] == true }
        try it.bench.expectOpenRobot()
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.air.expectWheels(turning: true)
        try it.bench.publish("zone/zone-a/stop/set", "whatever")
        try it.air.expectWheels(turning: false)
        try watcher.expect("robot/status", fromStart: true) {
            $0.json["stopped_by"] == "all_stop" && $0.json["power"] == false
        }
    }
}
