import Bluetooth
import BridgeTesting
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Device files of version 2")
struct Version2Tests {
    static let names = ["constructs", "power", "scale", "trainer"]

    @Test("All examples succeed, and they cover the whole file", arguments: names)
    func examples(_ name: String) throws {
        let run = ExampleRun(try Sample.file("\(name).yaml"))
        #expect(run.count > 0)
        #expect(run.failures.isEmpty, "\(run.failures.map(\.description).joined(separator: "\n"))")
        #expect(run.unused.isEmpty, "\(run.unused.map(\.description).joined(separator: "\n"))")
    }

    @Test("The family meets the contract of all families", arguments: names)
    func contract(_ name: String) throws {
        let contract = DeviceFamilyContract(FileFamily(try Sample.file("\(name).yaml")))
        #expect(contract.brokenBehaviour(seed: 1, steps: 300) == [])
    }

    @Test("A key of version 2 is an error in a file of version 1", arguments: ["take: [a]", "partial: true"])
    func tooNew(_ key: String) {
        let word = key.prefix { $0 != ":" }
        let text = Sample.text(packet: ["{ a: u8 }"], beside: key)
        #expect(Sample.problems(text).first?.message == "found \(word); allowed: with version: 2")
    }

    @Test("A file of version 1 means the same in version 2", arguments: try ShippedFiles.names.get())
    func compatible(_ name: String) throws {
        let text = try ShippedFiles.text(name)
        let newer = text.replacing("version: 1", with: "version: 2")
        var file = try DeviceFile.read(newer, file: name).file
        // Version 2 shows commands whose fields are not published.
        for index in file.features.indices { file.features[index].command?.isAssumed = false }
        let former = try DeviceFile.read(text, file: name).file
        #expect(file == former || text == newer)
    }

    @Test(
        "A device may be connected over a Bluetooth proxy only if its file states it",
        arguments: [("", false), ("proxy: false", false), ("proxy: true", true)], [1, 2])
    func proxy(_ key: (String, Bool), _ version: Int) throws {
        let text = Sample.text(packet: ["{ a: u8 }"], version: version) + "\n\(key.0)\n"
        let family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
        #expect(family.requirements.mayUseProxy == key.1)
    }

    @Test("`proxy: false` is allowed for a device that has to be stopped")
    func noProxy() throws {
        let text = Sample.text(packet: ["{ a: u8 }"]) + "\nproxy: false\nwill: [ { to: out, hex: 00 } ]\n"
        #expect(try !DeviceFile.read(text, file: "probe.yaml").file.mayUseProxy)
    }

    @Test("A field may have the name of a qualifier, an item or a type")
    func reserved() throws {
        let words = [
            "big", "scale", "offset", "round", "equals", "values", "unknown", "null_if", "if", "unit",
            "minimum",
            "maximum", "class", "category", "name", "icon", "length", "of", "count", "bits", "over", "at",
            "skip",
            "literal", "pad", "now", "checksum", "counter", "tag", "times", "type", "zone", "field",
            "remaining",
        ]
        for word in words {
            let short = Sample.text(packet: ["{ \(word): u8 }"], version: 2)
            let long = Sample.text(
                packet: ["{ field: \(word), type: u8, scale: 0.5, minimum: 1 }"], version: 2)
            for text in [short, long] {
                let file = try DeviceFile.read(text, file: "probe.yaml").file
                #expect(file.features[0].report?.fields.map(\.field.name) == [word], "\(word)")
            }
        }
    }

    @Test("A command whose fields are not published has a control, unless the file hides it")
    func assumed() throws {
        func shown(_ more: String, version: Int = 2) throws -> [Presentation.Kind] {
            let text = Sample.text(
                features: """
                    power:
                      summary: x
                      \(more)
                      command: { fields: { on: { type: boolean } }, write: { to: out, packet: [ { on: bool } ] } }
                    """, version: version)
            return FileFamily(try DeviceFile.read(text, file: "probe.yaml").file).features[0].presentations
                .map(\.kind)
        }
        let control = Presentation.Kind.control(Control("on", state: Control.Source(field: "on")))
        #expect(try shown("pace_ms: 1") == [control])
        #expect(try shown("pace_ms: 1", version: 1) == [])
        #expect(try shown("show: false") == [])
        #expect(try shown("confirm: true") == [])
    }

    /// A machine of BTHome that has received these packets, one a second.
    private func beacon(_ packets: [[UInt8]], memory: JSON.Object = [:], isCached: Bool = false) throws
        -> [Effect]
    {
        let context = DeviceContext(
            address: "54:48:E6:8F:80:A5", settings: ["bindkey": ""], memory: memory)
        var machine = FileFamily(try ShippedFiles.file("bthome.yaml")).makeMachine(context)
        var effects = machine.effects(of: .connected(LinkProfile(characteristics: [:])), at: .seconds(100))
        for (index, packet) in packets.enumerated() {
            let broadcast = Broadcast(serviceData: [0xFCD2: packet], isCached: isCached)
            effects += machine.effects(of: .advertised(broadcast), at: .seconds(101 + index))
        }
        return effects
    }

    @Test("A device that only advertises is online before its first value is published")
    func order() throws {
        let effects = try beacon([[0x40, 0x01, 0x61]])
        let ready = try #require(effects.firstIndex(of: .ready))
        let published = try #require(effects.firstIndex { if case .publish = $0 { true } else { false } })
        #expect(ready < published)
    }

    @Test("A press before a restart is no event, nor is data that the host has kept; the next press is one")
    func restart() throws {
        func presses(_ effects: [Effect]) -> Int {
            effects.count { if case .publish("event", _) = $0 { true } else { false } }
        }
        let press: [UInt8] = [0x44, 0x00, 0x07, 0x3A, 0x01]
        let first = try beacon([press])
        #expect(presses(first) == 1)
        #expect(first.contains(.remember(key: "packet.event", 7)))
        #expect(presses(try beacon([press], memory: ["packet.event": 7])) == 0)
        #expect(presses(try beacon([press], isCached: true)) == 0)
        let next: [UInt8] = [0x44, 0x00, 0x08, 0x3A, 0x01]
        #expect(presses(try beacon([press, next], memory: ["packet.event": 7])) == 1)
    }

    @Test(
        "Only a packet that causes an event changes what is kept, and a press after many others is an event")
    func sensorPackets() throws {
        func kept(_ effects: [Effect]) -> [Effect] {
            effects.filter { if case .remember = $0 { true } else { false } }
        }
        func packet(_ number: UInt8, _ objects: [UInt8]) -> [UInt8] { [0x44, 0x00, number] + objects }
        let press: [UInt8] = [0x3A, 0x01]
        // A temperature, no button (`skip`), a press.
        let effects = try beacon([packet(6, [0x45, 200, 0]), packet(7, [0x3A, 0]), packet(8, press)])
        #expect(kept(effects) == [.remember(key: "packet.event", 8)])
        for (number, isNew) in [(8, false), (7, false), (208, false), (9, true), (108, true), (199, true)] {
            let first = try beacon([packet(UInt8(number), press)], memory: ["packet.event": 8])
            #expect(!kept(first).isEmpty == isNew, "\(number)")
        }
    }

    @Test("Identical bytes cause no second event within 30 s, also after other data; a state follows them")
    func repetitions() throws {
        let (press, battery): ([UInt8], [UInt8]) = ([0x44, 0x3A, 0x01], [0x44, 0x01, 0x61])
        func names(_ effects: [Effect]) -> [String] {
            effects.compactMap { if case .publish(let name, _) = $0 { name } else { nil } }
        }
        #expect(names(try beacon([press, battery, press])) == ["event", "measures"])
        #expect(names(try beacon([battery, press, battery])) == ["measures", "event", "measures"])
        let later = Array(repeating: battery, count: 30) + [press]
        #expect(names(try beacon([press] + later)).count { $0 == "event" } == 2)
    }

    @Test("The counter of an encryption is kept with each event, so that a replayed press is no event")
    func replay() throws {
        let family = FileFamily(try ShippedFiles.file("bthome.yaml"), decrypt: { _, _, bytes, _ in bytes })
        let key = String(repeating: "0", count: 32)
        func effects(_ packets: [[UInt8]], _ memory: JSON.Object) -> [Effect] {
            var machine = family.makeMachine(
                DeviceContext(
                    address: "54:48:E6:8F:80:A5", settings: ["bindkey": .string(key)], memory: memory))
            var effects = machine.effects(
                of: .connected(LinkProfile(characteristics: [:])), at: .seconds(100))
            for (index, packet) in packets.enumerated() {
                let input = Input.advertised(Broadcast(serviceData: [0xFCD2: packet]))
                effects += machine.effects(of: input, at: .seconds(101 + index))
            }
            return effects
        }
        func packet(_ counter: UInt8, _ object: [UInt8]) -> [UInt8] {
            [0x45] + object + [counter, 1, 0, 0] + [0, 0, 0, 0]
        }
        let first = effects(
            [packet(1, [0x01, 0x61]), packet(2, [0x01, 0x62]), packet(3, [0x3A, 0x01])], [:])
        #expect(
            first.filter { if case .remember("counter.data", _) = $0 { true } else { false } } == [
                .remember(key: "counter.data", 257), .remember(key: "counter.data", 259),
            ])
        let again = effects([packet(3, [0x3A, 0x01])], ["counter.data": 259])
        #expect(!again.contains { if case .publish = $0 { true } else { false } })
        #expect(again.contains(.count("replayed")))
    }

    @Test("A partial report has an entity for each field that the device has sent, also after a restart")
    func received() throws {
        let family = FileFamily(try Sample.file("constructs.yaml"))
        let feature = try #require(family.feature("measures"))
        func shown(_ lacking: Lacking) -> [String] {
            feature.presentations.filter { lacking.knows($0, of: feature) }.map(\.title)
        }
        #expect(shown(Lacking()) == [])
        let trial = try #require(Trial(family.file, notify: "in", [0x40, 0x01, 0x61]))
        let lacking = try #require(trial.lacking)
        #expect(shown(lacking) == ["Battery"])
        #expect(shown(Lacking(json: lacking.json)) == ["Battery"])
    }
}
