import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import JSON
import Messages
import Testing

@Suite("Reports of a device")
struct ReportTests {
    @Test("A state is published only on change, as a plain value or an object, and is retained")
    func states() {
        withBridge { bench in
            bench.radio.setUpLinks { $0.set(SampleFamily.status, [42]) }
            bench.goOnline()
            #expect(bench.broker.retained("sample/level") == "42")
            for value in [42, 43, 43, 44] as [UInt8] {
                bench.link()?.notify(SampleFamily.status, [5, value])
            }
            #expect(bench.broker.texts("sample/level") == ["42", "43", "44"])
            bench.link()?.notify(SampleFamily.status, [2, 1])
            #expect(bench.broker.retained("sample/mode") == #"{"mode":"fast","stopped_by":null}"#)
        }
    }

    @Test("An event has a time and a sequence number, and is not retained")
    func events() {
        withBridge { bench in
            bench.goOnline()
            for _ in 0..<2 { bench.link()?.notify(SampleFamily.status, [3, 1]) }
            let events = bench.broker.log.filter { $0.message.topic == "sample/pressed" }
            #expect(events.map(\.message.policy) == [.event, .event])
            #expect(
                bench.broker.objects("sample/pressed").last == [
                    "button": 1, "time": .string(bench.time.date.description), "seq": 2,
                ])
            #expect(bench.broker.retained("sample/pressed") == nil)
        }
    }

    @Test("A stream is published unchanged, and dropped while the broker is disconnected")
    func streams() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [4, 9])
            bench.client.lose()
            bench.link()?.notify(SampleFamily.status, [4, 10])
            bench.connectBroker()
            #expect(bench.broker.texts("sample/motion") == [#"{"x":9}"#])
        }
    }

    @Test(
        "Events that occur without a broker are published after the reconnect, without a gap in their numbers"
    )
    func brokerAway() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [3, 1])
            bench.client.lose()
            bench.link()?.notify(SampleFamily.status, [3, 2])
            bench.link()?.notify(SampleFamily.status, [5, 99])
            bench.connectBroker()
            #expect(bench.broker.objects("sample/pressed").map { $0["seq"] } == [1, 2])
            #expect(bench.broker.retained("sample/level") == "99")
            #expect(bench.broker.retained("sample/availability") == "online")
        }
    }

    @Test("A state that is no longer known is cleared")
    func withdrawn() {
        withBridge { bench in
            bench.radio.setUpLinks { $0.set(SampleFamily.status, [42]) }
            bench.goOnline()
            bench.link()?.lose()
            #expect(bench.broker.retained("sample/level") == nil)
            bench.hear()
            #expect(bench.broker.retained("sample/level") == "42")
        }
    }

    @Test("Nothing is published about a device before the retained messages of other bridges have arrived")
    func listening() {
        withBridge { bench in
            bench.client.setProbeFate(.held)
            bench.client.connect()
            bench.time.advance(by: .milliseconds(999))
            #expect(bench.broker.retained("sample/connection") == nil)
            bench.client.setProbeFate(.delivered)
            bench.client.releaseProbes()
            #expect(bench.connection()?["state"] == "searching")
        }
    }

    @Test("Without a returned echo, a device is published after five seconds")
    func listeningInVain() {
        withBridge { bench in
            bench.client.setProbeFate(.dropped)
            bench.client.connect()
            bench.time.advance(by: .milliseconds(4999))
            #expect(bench.broker.retained("sample/connection") == nil)
            bench.time.advance(by: .milliseconds(1))
            #expect(bench.connection()?["state"] == "searching")
        }
    }

    @Test("A device that is online before the broker is published when the broker connects")
    func deviceFirst() {
        withBridge { bench in
            bench.hear()
            #expect(bench.broker.log == [])
            bench.client.connect()
            #expect(bench.availability() == "online")
            #expect(bench.connection()?["state"] == "connected")
        }
    }

    @Test("The list of devices contains the advertised name of each device, and follows its changes")
    func displayName() {
        withBridge { bench in
            func name() -> JSON.Value? {
                bench.time.advance(by: .seconds(10))
                return bench.broker.retainedObject("bridge/attic/devices")?.array?.first?["display_name"]
            }
            bench.connectBroker()
            #expect(name() == .null)
            bench.hear()
            #expect(name() == "sample device")
            bench.hear(name: "sample device of Anna")
            #expect(name() == "sample device of Anna")
        }
    }

    @Test("The display name in the configuration takes precedence over the advertised name")
    func configuredName() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.devices[0].appearance.displayName = "Rolf"
            let bench = lab.bridge(settings)
            bench.goOnline()
            lab.time.advance(by: .seconds(10))
            let list = bench.broker.retainedObject("bridge/attic/devices")?.array
            #expect(list?.map { $0["display_name"] } == ["Rolf"])
        }
    }

    @Test("The display name in the roster takes precedence over the advertised name")
    func rosterName() {
        let device = BridgeState.Device(address: BridgeSettings.sample, family: "sample", name: "left")
        withLab { lab in
            let bench = lab.bridge(.empty(), store: MemoryStore(BridgeState(devices: [device])))
            bench.goOnline()
            lab.broker.send(
                "roster/aabbcca1b2c3",
                #"{"v":1,"name":"left","family":"sample","appearance":{"display_name":"Left hand"},"by":"x","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            lab.time.advance(by: .seconds(10))
            let list = bench.broker.retainedObject("bridge/attic/devices")?.array
            #expect(list?.map { $0["display_name"] } == ["Left hand"])
        }
    }

    @Test("The bridge publishes its info, its devices and its availability")
    func bridge() {
        withBridge { bench in
            bench.goOnline()
            #expect(bench.broker.retained("bridge/attic/availability") == "online")
            let info = bench.broker.retainedObject("bridge/attic/info")
            #expect(info?["version"] == "1.0")
            #expect(info?["host"] == "attic.example")
            #expect(info?["broker"] == "MQTT 5")
            #expect(info?["devices"] == ["known": 1, "online": 1])
            #expect(info?["adapters"]?.array?.first?["name"] == "hci0")
            let device = bench.broker.retainedObject("bridge/attic/devices")?.array?.first
            #expect(device?["name"] == "sample")
            #expect(device?["availability"] == "online")
            #expect(device?["features"]?.array?.count == 9)
        }
    }

    @Test("The list of devices follows their availability")
    func deviceList() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.lose()
            let device = bench.broker.retainedObject("bridge/attic/devices")?.array?.first
            #expect(device?["availability"] == "offline")
        }
    }

    @Test("All topics, including requests, are below the base topic")
    func baseTopic() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.baseTopic = "house/touch"
            let bench = lab.bridge(settings)
            bench.goOnline()
            #expect(bench.broker.retainedTopics.allSatisfy { $0.hasPrefix("house/touch/") })
            bench.broker.send("house/touch/sample/level/set", "3")
            #expect(bench.broker.objects("house/touch/sample/result").last?["status"] == "ok")
            bench.broker.send("house/touch/bridge/attic/request/devices", "")
            #expect(bench.broker.objects("house/touch/bridge/attic/response/devices").count == 1)
        }
    }

    @Test("A device's memory is kept across a restart")
    func memory() {
        withLab { lab in
            let store = MemoryStore()
            let first = lab.bridge(.oneDevice(), store: store)
            first.goOnline()
            for _ in 0..<3 { first.link()?.notify(SampleFamily.status, [3, 1]) }
            #expect(store.state.devices.first?.memory["presses"] == 3)
            first.shutDown()
            let second = lab.bridge(.oneDevice(), store: store)
            second.goOnline()
            second.link()?.notify(SampleFamily.status, [3, 1])
            #expect(store.state.devices.first?.memory["presses"] == 4)
        }
    }

    @Test("If commands must not pile up, all are subscribed to at QoS 0, and stops also at QoS 1")
    func fleeting() {
        var family = SampleFamily()
        family.isFleeting = true
        withBridge(family) { bench in
            let filters = bench.client.filters.filter { $0.matches("sample/aim/set") }
            #expect(filters == [TopicFilter("sample/+/set", qos: 0)])
            #expect(bench.client.filters.contains(TopicFilter("sample/stop/set", qos: 1)))
        }
        withBridge { bench in
            #expect(bench.client.filters.contains(TopicFilter("sample/+/set", qos: 1)))
        }
    }
}
