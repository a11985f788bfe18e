import Bluetooth
import ProtocolVectors
import Testing

@testable import DeviceCatalog

@Suite("The protocol page of the belt")
struct BeltProtocolPageTests {
    private let page: VectorPage

    init() throws { page = try VectorPage("belt") }

    @Test("The page lists every characteristic with its properties")
    func characteristics() throws {
        for row in BeltGATT.table {
            let name = "`\(row.characteristic)`"
            let words = try #require(
                page.rows.first { $0.count == 5 && $0[1] == name }, "\(name) is not there")
            let properties: [(String, CharacteristicProperties)] = [
                ("read", .read), ("notify", .notify), ("write", .write),
            ]
            let written = properties.filter { words[3].contains($0.0) }.map(\.1)
            #expect(written.reduce(into: []) { $0.formUnion($1) } == row.properties, "\(name): \(words[3])")
            #expect(BeltGATT.required.contains(row.characteristic) == (words[4] == "not a belt"), "\(name)")
        }
        for uuid in [BeltGATT.controlService, BeltGATT.sensorService, BeltGATT.debugService] {
            let name = Hex.string(UInt64(try #require(uuid.short)), digits: 4).uppercased()
            #expect(page.prose.contains("| `\(name)` "), "\(name)")
        }
        #expect(page.prose.contains("\(BeltGATT.advertisedService)".uppercased()))
        #expect(page.prose.contains("`\(BeltGATT.namePrefix)`"))
    }

    @Test("The times on the page match the code")
    func times() {
        func seconds(_ time: Duration) -> String { "\(Int(time / .seconds(1))) s" }
        func milliseconds(_ time: Duration) -> String { "\(Int(time / .milliseconds(1))) ms" }
        let sentences = [
            "The bridge waits \(seconds(BeltMachine.answerTime)) for it",
            "and \(seconds(BeltMachine.handshakeTime)) for the whole",
            "The bridge waits \(seconds(BeltParameterChange.time)) [P]. Channels",
            "one signal goes out per \(milliseconds(BeltMachine.signalInterval));",
            "the bridge assumes \(seconds(BeltVibrations.longestSignal)).",
        ]
        for sentence in sentences { #expect(page.sentences.contains(sentence), "\(sentence)") }
    }

    @Test("The numbers on the page match the code")
    func numbers() {
        let patterns: [(String, BeltPattern)] = [
            ("none", .none), ("continuous", .continuous), ("single short", .singleShort),
            ("single long", .singleLong), ("double short", .doubleShort), ("double long", .doubleLong),
            ("warning", .warning), ("circle to the right", .circleRight), ("fade out", .fadeOut),
            ("destination reached", .destinationReached), ("front cross", .frontCross),
        ]
        let cells = page.rows.filter { $0.count == 4 }.flatMap { [[$0[0], $0[1]], [$0[2], $0[3]]] }
        for (name, pattern) in patterns {
            let words = name + (pattern.hasOwnMotors ? ", its own motors" : "")
            #expect(cells.contains(["\(pattern.rawValue)", words]), "pattern \(name)")
        }
        for mode in BeltMode.allCases {
            let row = page.rows.first { $0.count == 3 && $0[0] == "\(mode.rawValue)" && $0[1] == mode.name }
            #expect(row != nil, "mode \(mode.name)")
        }
        for button in BeltButton.allCases {
            #expect(page.sentences.contains("\(button.rawValue) \(button.name)"), "button \(button.name)")
        }
    }
}
