import Bluetooth
import VirtualDevices

typealias BeltBench = DeviceHarness<BenchBelt>

enum BenchBelt: HarnessDevice {
    static let name = "belt"
    static let address: Address = "C0:FF:EE:00:BE:01"
    static let mtu = 23
    static let notifying = ["FE02", "FE04", "FE06", "FE09", "FE0B", "FE0C", "FE14"]
    static var standard: VirtualBelt.Choices { .init() }

    static func model(_ choices: VirtualBelt.Choices) -> Scenario.Model { .belt(choices) }
    static func name(_ id: CharacteristicID) -> String { id.description }

    static func text(_ report: DeviceReport) -> String? {
        switch report {
        case .feel(let motors):
            motors.isEmpty
                ? "feel nothing"
                : "feel " + motors.map { "\($0.motor):\($0.intensity)" }.joined(separator: " ")
        case .other("rejected", _): "rejected"
        case .other("mode", let details): "mode \(details["mode"] ?? "")"
        default: nil
        }
    }
}

extension BeltBench {
    /// Every change of the running motors within `duration`: milliseconds from the start, and the motors.
    mutating func feelings(_ duration: Duration) -> [String] {
        let start = now
        return pass(duration).filter { $0.what.hasPrefix("feel") }.map { happened in
            "\(Int((happened.at - start) / .milliseconds(1))) \(happened.what)"
        }
    }
}

extension [String] {
    /// Only the events that a client can observe: answers, notifications and disconnects.
    var air: [String] {
        filter { text in
            ["written", "value", "refused", "FE", "disconnect"].contains { text.hasPrefix($0) }
        }
    }
}
