import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The robot family and its commands")
struct RobotFamilyTests {
    private let family = RobotFamily()

    @Test(
        "A robot is recognized by its name prefix",
        arguments: [
            ("ESP32_BLE", true), ("ESP32_BLE-7", true), ("ESP32_BLE arena", true), ("esp32_ble", false),
            ("My ESP32_BLE", false), ("ESP32", false), ("UART", false), (nil, false), ("", false),
        ] as [(String?, Bool)])
    func recognition(_ name: String?, _ isRobot: Bool) {
        let nordicUART: UUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        for services in [[], [nordicUART]] as [Set<UUID>] {
            let advertisement = Advertisement(address: "30:AE:A4:00:00:01", name: name, services: services)
            #expect(family.recognises(advertisement) == isRobot)
        }
    }

    @Test("A name has a low rank; with the cached service, the rank is above other families of the service")
    func rank() {
        var advertisement = Advertisement(address: "30:AE:A4:00:00:01", name: "ESP32_BLE_Lamp")
        #expect(family.rank(of: advertisement) < MatchRank(.exactName, literals: 14))
        #expect(family.rank(of: advertisement) < MatchRank(.identifier))
        advertisement.services = [RobotGATT.service]
        #expect(family.rank(of: advertisement) > MatchRank(.identifier))
    }

    @Test(
        "A link without all three characteristics, readable and writable, is refused",
        arguments: 0..<6)
    func profile(_ row: Int) {
        let characteristic = RobotGATT.all[row % 3]
        var profile = LinkProfile(characteristics: [:])
        for id in RobotGATT.all { profile.characteristics[id] = [.read, .writeWithoutResponse, .notify] }
        profile.characteristics[characteristic] = row < 3 ? nil : [.read, .write, .notify]
        var machine = RobotMachine(RobotSettings(), latch: .clear)
        let effects = machine.effects(of: .connected(profile))
        let codes = effects.compactMap { if case .fail(let failure) = $0 { failure.code } else { nil } }
        #expect(codes == [.notThisFamily])
        #expect(!effects.contains { if case .write = $0 { true } else { false } })
    }

    @Test("A group command can only make the robot stand still")
    func groups() {
        for feature in family.features where feature.command != nil {
            let isStop = ["stop", "emergency_stop"].contains(feature.name)
            let isSwitch = ["power", "weapon"].contains(feature.name)
            #expect(family.takesFromGroup(feature.name, [feature.name: true]) == isStop)
            #expect(family.takesFromGroup(feature.name, [feature.name: false]) == (isStop || isSwitch))
        }
    }

    @Test("Power on demands power, readable or not; a drive and weapon on demand motion")
    func demands() {
        func demand(_ feature: String, _ arguments: Arguments?) -> MotionDemand {
            family.motionRequest(feature, arguments).demand
        }
        #expect(demand("power", ["power": true]) == .power)
        #expect(demand("power", ["power": false]) == .none)
        #expect(demand("power", nil) == .power)
        #expect(demand("weapon", ["weapon": true]) == .motion(lease: nil))
        #expect(demand("weapon", nil) == .motion(lease: nil))
        #expect(demand("drive", nil) == .motion(lease: nil))
        #expect(demand("stop", nil) == .none)
    }

    @Test("Drives are fleeting, only the newest counts; stops pass every gate; emergency stops are kept")
    func traits() {
        #expect(family.feature("drive")?.command?.traits == [.latest, .fleeting, .hazardous])
        #expect(family.feature("stop")?.command?.traits == .stop)
        #expect(family.feature("emergency_stop")?.command?.traits == [.stop, .kept])
    }
}
