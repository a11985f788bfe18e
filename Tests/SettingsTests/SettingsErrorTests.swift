import Testing

@testable import BridgeConfiguration

@Suite("Errors of a configuration file have line, key, the value found and the values allowed")
struct SettingsErrorTests {
    @Test(
        "A single error has its place and what is allowed",
        arguments: [
            (
                "mqtt:\n  prot: 1883",
                "c.yaml:2:3: mqtt.prot: not known here; did you mean port? Allowed: host hosts port version client_id base_topic keep_alive_s username password_file tls"
            ),
            (
                "port: 1",
                "c.yaml:1:1: port: not known here; did you mean mqtt.port? Allowed: bridge devices_directory mqtt bluetooth lamp haptics gestures home_assistant metrics log console devices groups"
            ),
            (
                "zebra: 1",
                "c.yaml:1:1: zebra: not known here; allowed: bridge devices_directory mqtt bluetooth lamp haptics gestures home_assistant metrics log console devices groups"
            ),
            (
                "mqtt:\n  host: !secret broker",
                "c.yaml:2:9: mqtt.host: found the tag !secret; the bridge does not support tags. Allowed: the value itself, in quotes if it starts with !"
            ),
            (
                "mqtt: { password: !hunter2 }",
                "c.yaml:1:19: mqtt.password: found a tag; the bridge does not support tags. Allowed: the value itself, in quotes if it starts with !; use mqtt.password_file for a password"
            ),
            (
                "bluetooth: { adapters: hci0 }",
                "c.yaml:1:24: bluetooth.adapters: found hci0; allowed: a list such as [hci0]"
            ),
            (
                "mqtt: { port: 70000 }",
                "c.yaml:1:15: mqtt.port: found 70000; allowed: a whole number 1...65535"
            ),
            (
                "mqtt: { port: 1883.5 }",
                "c.yaml:1:15: mqtt.port: found 1883.5; allowed: a whole number 1...65535"
            ),
            (
                "mqtt: { port: \"1883\" }",
                "c.yaml:1:15: mqtt.port: found the text \"1883\"; allowed: a whole number 1...65535"
            ),
            (
                "mqtt: { port: [1] }",
                "c.yaml:1:15: mqtt.port: found a list; allowed: a whole number 1...65535"
            ),
            (
                "mqtt: { host: {} }",
                "c.yaml:1:15: mqtt.host: found a mapping; allowed: a host name, an address, or the path of a Unix socket"
            ),
            (
                "mqtt: { host: a b }",
                "c.yaml:1:15: mqtt.host: found a b; allowed: a host name, an address, or the path of a Unix socket"
            ),
            (
                "console: { frame_ancestors: [self, \"https://*\"] }",
                "c.yaml:1:36: console.frame_ancestors[1]: found the text \"https://*\"; allowed: self, or an origin such as https://home.example:8123"
            ),
            (
                "console: { login: none, listen: \"0.0.0.0:9480\" }",
                "c.yaml:1: console.login: found none, but other hosts can reach 0.0.0.0:9480 in console.listen; allowed: token broker proxy, or a loopback address"
            ),
            (
                "console: { listen: here }",
                "c.yaml:1:20: console.listen: found here; allowed: ADDRESS:PORT such as 127.0.0.1:9480 or [::1]:9480, or the path of a Unix socket"
            ),
            (
                "console: { roles: { anna: [pilot] } }",
                "c.yaml:1:28: console.roles.anna[0]: found pilot; allowed: one of viewer operator driver typist recorder restorer log-reader admin"
            ),
            (
                "console: { roles: [viewer] }",
                "c.yaml:1:19: console.roles: found a list; allowed: an object with any keys, each a list of 0...8 values, each one of viewer operator driver typist recorder restorer log-reader admin"
            ),
            ("mqtt: { version: 4 }", "c.yaml:1:18: mqtt.version: found 4; allowed: one of auto 5 3.1.1"),
            (
                "mqtt: { base_topic: home/# }",
                "c.yaml:1:21: mqtt.base_topic: found home/#; allowed: topic levels separated by /, none empty, without + # and control characters"
            ),
            (
                "mqtt: { tls: { enabled: maybe } }",
                "c.yaml:1:25: mqtt.tls.enabled: found maybe; allowed: true or false"
            ),
            (
                "mqtt: 1",
                "c.yaml:1:7: mqtt: found 1; allowed: a mapping with host hosts port version client_id base_topic keep_alive_s username password_file tls"
            ),
            (
                "mqtt: { password: geheim }",
                "c.yaml:1:9: mqtt.password: not accepted in this file, which other users may read; allowed: mqtt.password_file, a systemd credential, or TACTILE_BRIDGE_MQTT_PASSWORD"
            ),
            (
                "mqtt: { password_file: /does/not/exist, username: a }",
                "c.yaml:1: mqtt.password_file: found /does/not/exist: No such file or directory; allowed: a file that the bridge can read"
            ),
            (
                "mqtt: { tls: { enabled: true, key_file: /k } }",
                "c.yaml:1: mqtt.tls.certificate_file: missing, but mqtt.tls.key_file is set; allowed: both or neither"
            ),
            (
                "bridge: { id: a/b }",
                "c.yaml:1:15: bridge.id: found a/b; allowed: 1 to 64 letters, digits, _ and -, but not all, which means every bridge"
            ),
            (
                "bridge: { state_directory: var }",
                "c.yaml:1:28: bridge.state_directory: found var; allowed: a path that starts with /"
            ),
            (
                "bluetooth: { adapters: [hci0, foo] }",
                "c.yaml:1:31: bluetooth.adapters[1]: found foo; allowed: an adapter's name such as hci0, its address such as 00:1A:7D:DA:71:13, or a proxy such as proxy/kitchen"
            ),
            (
                "bluetooth: { bus: home }",
                "c.yaml:1:19: bluetooth.bus: found home; allowed: system, or a D-Bus address such as unix:path=/run/dbus/socket"
            ),
            (
                "metrics: { listen: 9402 }",
                "c.yaml:1:20: metrics.listen: found 9402; allowed: ADDRESS:PORT such as 127.0.0.1:9402 or [::1]:9402, the path of a Unix socket, or empty"
            ),
            (
                "log: { level: loud }",
                "c.yaml:1:15: log.level: found loud; allowed: one of trace debug info notice warning error critical"
            ),
            ("lamp: { glow_ms: 9 }", "c.yaml:1:18: lamp.glow_ms: found 9; allowed: a whole number 10...500"),
            (
                "lamp: { glow: 9 }",
                "c.yaml:1:9: lamp.glow: not known here; allowed: glow_ms warm scene dim steps limits"
            ),
            (
                "lamp: { steps: [1, 10] }",
                "c.yaml:1:20: lamp.steps[1]: found 10; allowed: a whole number 0...9"
            ),
            (
                "lamp: { steps: [] }",
                "c.yaml:1:16: lamp.steps: found 0 values; allowed: a list of 1...3 values, each a whole number 0...9"
            ),
            (
                "lamp: { limits: {} }",
                "c.yaml:1:17: lamp.limits: low is missing; allowed: a whole number 0...9"
            ),
            (
                "lamp: { limits: { low: 1, lo: 2 } }",
                "c.yaml:1:27: lamp.limits.lo: not known here; did you mean low? Allowed: low"
            ),
            (
                "- a",
                "c.yaml:1:1: found a list; allowed: a mapping with bridge devices_directory mqtt bluetooth lamp haptics gestures home_assistant metrics log console devices groups"
            ),
            (
                "mqtt: {}\nlog: {}\nmqtt: {}",
                "c.yaml:3:1: the key mqtt appears more than once; allowed: each key once"
            ),
            (
                "mqtt: [1\nlog: 2",
                "c.yaml:2:4: not valid YAML: while parsing a flow sequence (line 1), did not find expected ',' or ']'"
            ),
            ("a: *b", "c.yaml:1:4: not valid YAML: found undefined alias"),
        ])
    func one(_ text: String, _ problem: String) async throws {
        try await ConfigurationScope.with { #expect($0.problems(text) == [problem]) }
    }

    @Test(
        "Errors in a device's name, family or address, or in a group, have their place",
        arguments: [
            (
                "a b: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.a b: not a name; allowed: A-Z a-z 0-9 _ - and / between levels, at most 128 characters"
            ),
            (
                "a//b: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.a//b: not a name; allowed: A-Z a-z 0-9 _ - and / between levels, at most 128 characters"
            ),
            (
                "x/light: { family: lamp, address: AA:BB:CC:DD:EE:01 }\n  x: { family: lamp, address: AA:BB:CC:DD:EE:02 }",
                "",
                "c.yaml:2:3: devices.x/light: its last part light is the name of a feature of x; allowed: a name with a different last part"
            ),
            (
                "connection: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.connection: its last part connection is the name of a feature; allowed: a name with a different last part"
            ),
            (
                "x/set: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.x/set: its last part set is the name of a feature; allowed: a name with a different last part"
            ),
            (
                "all/x: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.all/x: all is reserved for the bridge; allowed: a name other than all and not below all/"
            ),
            (
                "bridge: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.bridge: bridge is reserved for the bridge; allowed: a name other than bridge and not below bridge/"
            ),
            (
                "homeassistant/x: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:3: devices.homeassistant/x: homeassistant is the discovery prefix (home_assistant.prefix); allowed: another name"
            ),
            (
                "x: { family: lamb, address: AA:BB:CC:DD:EE:01 }", "",
                "c.yaml:2:16: devices.x.family: found lamb; allowed: lamp"
            ),
            (
                "x: { family: lamp, address: AA:BB:CC:DD:EE:01, icon: run }", "",
                "c.yaml:2:56: devices.x.icon: found run; allowed: an icon's set and name such as mdi:run"
            ),
            ("x: { address: AA:BB:CC:DD:EE:01 }", "", "c.yaml:2:3: devices.x.family: missing; allowed: lamp"),
            (
                "x: { family: lamp }", "",
                "c.yaml:2:3: devices.x.address: missing; allowed: a Bluetooth address such as AA:BB:CC:DD:EE:FF"
            ),
            (
                "x: { family: lamp, address: AA-BB }", "",
                "c.yaml:2:31: devices.x.address: found AA-BB; allowed: a Bluetooth address such as AA:BB:CC:DD:EE:FF"
            ),
            (
                "x: { family: lamp, address: AA:BB:CC:DD:EE:01, glow_ms: 1 }", "",
                "c.yaml:2:59: devices.x.glow_ms: found 1; allowed: a whole number 10...500"
            ),
            (
                "x: { family: lamp, address: AA:BB:CC:DD:EE:01, glow_mss: 1 }", "",
                "c.yaml:2:50: devices.x.glow_mss: not known here; did you mean glow_ms? Allowed: family address display_name area icon glow_ms warm scene dim steps limits"
            ),
            (
                "x: { family: lamp, address: AA:BB:CC:DD:EE:01 }\n  y: { family: lamp, address: aa:bb:cc:dd:ee:01 }",
                "",
                "c.yaml:3:3: devices.y: found the address AA:BB:CC:DD:EE:01, which x has too; allowed: one name for each device"
            ),
            (
                "left: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "hands:\n    - left\n    - lift",
                "c.yaml:6:7: groups.hands[1]: found lift, which is not under devices; did you mean left? Allowed: left"
            ),
            (
                "left: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "hands: [lamp/a1b2c3, lamp/a1b2cx]",
                "c.yaml:4:24: groups.hands[1]: found lamp/a1b2cx, which is not under devices; allowed: left"
            ),
            (
                "left: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "hands: [left, left]",
                "c.yaml:4:17: groups.hands[1]: found left again; allowed: each device once"
            ),
            (
                "left: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "hands: []",
                "c.yaml:4:10: groups.hands: found 0 values; allowed: a list of 1...10000 values, each text of 1...128 bytes"
            ),
            (
                "left: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "lamp: [left]",
                "c.yaml:4:3: groups.lamp: it is the default name of devices of the family lamp; allowed: any other name"
            ),
            (
                "left: { family: lamp, address: AA:BB:CC:DD:EE:01 }", "left: [left]",
                "c.yaml:2:3: devices.left: the group left has this name; rename one of them"
            ),
        ])
    func fleet(_ devices: String, _ groups: String, _ problem: String) async throws {
        let text = "devices:\n  \(devices)\n" + (groups.isEmpty ? "" : "groups:\n  \(groups)\n")
        try await ConfigurationScope.with { #expect($0.problems(text) == [problem]) }
    }

    @Test("All errors are reported together, wherever they are")
    func several() async throws {
        try await ConfigurationScope.with { scope in
            let problems = scope.problems(
                "mqtt: { port: 0, hots: x }\nlamp: { warm: 7 }\ndevices: { x: {} }",
                environment: ["TACTILE_BRIDGE_LOG_LEVEL": "loud"])
            #expect(
                problems == [
                    "c.yaml:1:15: mqtt.port: found 0; allowed: a whole number 1...65535",
                    "c.yaml:1:18: mqtt.hots: not known here; did you mean host? Allowed: host hosts port version client_id base_topic keep_alive_s username password_file tls",
                    "c.yaml:2:15: lamp.warm: found 7; allowed: true or false",
                    "c.yaml:3:12: devices.x.family: missing; allowed: lamp",
                    "c.yaml:3:12: devices.x.address: missing; allowed: a Bluetooth address such as AA:BB:CC:DD:EE:FF",
                    "TACTILE_BRIDGE_LOG_LEVEL: log.level: found loud; allowed: one of trace debug info notice warning error critical",
                ])
        }
    }

    @Test("No error contains a password")
    func secrets() async throws {
        try await ConfigurationScope.with { scope in
            let password = "s3cr3t"
            let inFile = scope.problems("mqtt: { password: \(password) }\nmqtt: {}")
            let broken = scope.problems("mqtt: { password: \(password)\n  - ]")
            let unused = scope.problems("", environment: ["TACTILE_BRIDGE_MQTT_PASSWORD": password])
            for problems in [inFile, broken, unused] {
                #expect(!problems.isEmpty)
                #expect(!problems.contains { $0.contains(password) })
            }
        }
    }
}
