import Bluetooth
import ProtocolVectors
import Testing

@testable import DeviceCatalog

@Suite("The protocol page of the robot")
struct RobotProtocolPageTests {
    private let page: VectorPage

    init() throws { page = try VectorPage("robot") }

    @Test("The page lists every characteristic with the properties that the bridge requires")
    func characteristics() throws {
        for id in RobotGATT.all {
            let name = "`\(id.uuid.description.uppercased())`"
            let row = try #require(page.rows.first { $0.count == 4 && $0[1] == name }, "\(name) is not there")
            #expect(row[3].contains("write without response") && row[3].contains("read"))
        }
        let service = RobotGATT.movement.service.description.uppercased()
        #expect(page.rows.contains { $0.first == "`\(service)`" })
    }

    @Test("The times on the page match the code")
    func times() {
        let cadence = Int(RobotMachine.cadence / .milliseconds(1))
        let settling = RobotHandshake.settlingTime / .seconds(1)
        let sentences = [
            "every \(cadence) ms, in this order", "No power within \(settling) s of a connection",
            "once a second at rest",
            "\(["no", "once", "twice", "three times"][RobotConfirmation.attempts]) at most",
        ]
        for sentence in sentences { #expect(page.sentences.contains(sentence), "\(sentence)") }
        #expect(RobotMachine.heartbeat == .seconds(1))
    }
}
