import EventLoop
import HostTesting
import JSON

// Reports of a simulated robot.
extension Program {
    /// Waits until the robot's wheels turn, or stand still.
    func expectWheels(turning: Bool, within limit: Duration = .seconds(5)) throws {
        try expect(turning ? "turning wheels" : "standing wheels", within: limit) { line in
            guard line["event"] == "wheels" else { return false }
            let names = ["left_front", "right_front", "left_rear", "right_rear"]
            return names.contains { line[$0] != 0 } == turning
        }
    }

    /// Waits until the weapon is on, or off.
    func expectWeapon(_ isOn: Bool) throws {
        try expect("weapon \(isOn)") { $0["event"] == "weapon" && $0["on"]?.string == "\(isOn)" }
    }

    /// Returns the next report; nil if none arrives within the time.
    func nextReport(within limit: Duration) -> JSON.Value? {
        nextLine(within: limit).flatMap { try? JSON.Value(parsing: $0.utf8) }
    }
}

extension JSON.Value {
    /// The characteristic, the value and the time of a write to the simulated robot; nil for another report.
    var robotWrite: (characteristic: String, value: String, time: Duration)? {
        guard self["event"] == "write", let uuid = self["characteristic"]?.string,
            let hex = self["hex"]?.string, let time = self["time"]?.double
        else { return nil }
        var bytes: [UInt8] = []
        var rest = hex[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        let names = ["6e400002": "movement", "6e400003": "rotation", "6e400004": "buttons"]
        return (
            names[String(uuid.prefix(8))] ?? uuid, String(decoding: bytes, as: UTF8.self),
            .milliseconds(Int64((time * 1000).rounded()))
        )
    }
}

/// A client that publishes repeatedly on one topic, over one connection.
final class Publisher {
    private let process: TestProcess

    /// Creates a client that connects through a port of this host.
    init(_ port: UInt16, _ topic: String) throws {
        process = try TestProcess(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-l"], hasInput: true)
    }

    init(_ broker: TestBroker, _ topic: String, qos: Int = 0) throws {
        process = try TestProcess(
            ["mosquitto_pub"] + broker.arguments + ["-t", topic, "-q", "\(qos)", "-l"], hasInput: true)
    }

    /// Sends a payload; returns the time of sending.
    @discardableResult
    func send(_ payload: String) throws -> Duration {
        let now = EventLoop.now
        try process.write(payload)
        return now
    }
}
