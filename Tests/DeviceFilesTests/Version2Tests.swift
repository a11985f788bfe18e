import BridgeTesting
import DeviceFiles
import DeviceKit
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
        #expect(newer != text)
        #expect(
            try DeviceFile.read(newer, file: name).file == DeviceFile.read(text, file: name).file)
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
