import Bluetooth
import BridgeTesting
import DeviceFiles
import DeviceKit
import Foundation
import JSON
import Testing

@Suite("The wristband example of the documentation")
struct BuzzTests {
    @Test("The file is read without warnings")
    func reading() throws {
        let reading = try DeviceFile.read(try Sample.text("buzz.yaml"), file: "buzz.yaml")
        #expect(reading.warnings.isEmpty)
        #expect(reading.file.family == "buzz")
        #expect(reading.file.plural == "buzzs")
        #expect(reading.file.joining == .plain)
        #expect(reading.file.features.map(\.name) == ["battery", "motors"])
        #expect(reading.file.characteristics[1].lines?.end == [0x0A])
    }

    @Test("The file is identical to the file on the page about device files")
    func page() throws {
        let page = try String(
            contentsOf: Sample.folder.appending(path: "../../../docs/reference/device-files.md"),
            encoding: .utf8)
        #expect(page.contains("```yaml\n\(try Sample.text("buzz.yaml"))```"))
    }

    @Test("The examples of the file succeed")
    func examples() throws {
        let run = ExampleRun(try Sample.file("buzz.yaml"))
        #expect(run.count == 3)
        #expect(run.failures.map(\.description) == [])
        #expect(run.unused.map(\.description) == [])
    }

    @Test("A failing example reports its line, the actual and the expected result")
    func failing() throws {
        let text = try Sample.text("buzz.yaml").replacing("{ level: 85 }", with: "{ level: 84 }")
            .replacing("/wAAAA==", with: "AAAAAA==").replacing("error: out_of_range", with: "error: busy")
        let run = ExampleRun(try DeviceFile.read(text, file: "buzz.yaml").file)
        #expect(run.failures.map(\.line) == [48, 49, 50])
        #expect(
            run.failures[0].message
                == #"publishes: found battery {"level":85}; the example expects battery {"level":84}"#)
        #expect(run.failures[1].message.hasPrefix("writes: found rx 6d6f746f7273"))
        #expect(run.failures[2].message.hasPrefix("error: found out_of_range: levels[0]"))
    }

    @Test("The family meets the contract of families")
    func contract() throws {
        let family = FileFamily(try Sample.file("buzz.yaml"))
        let contract = DeviceFamilyContract(family)
        #expect(contract.brokenPeace == [])
        for seed in 0..<30 as Range<UInt64> {
            #expect(contract.brokenBehaviour(seed: seed, steps: 300) == [])
        }
    }
}
