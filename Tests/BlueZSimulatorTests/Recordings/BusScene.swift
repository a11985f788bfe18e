import Bluetooth
import DBus
import Testing

@testable import BlueZSimulator

/// A scene with a program, bluetoothd and a device, which runs identically with the real bluetoothd and with the
/// simulator. It is read from `Tests/RealBlueZ/scenes`: one line for each step, in the syntax of ``play(_:with:on:)``.
struct BusScene: Sendable {
    let name: String
    let steps: [String]

    static let all = [
        "session", "first-connections", "forget", "drop", "out-of-reach", "pairing", "encrypted-read",
        "keyboard", "services-changed", "adapter-off", "two-calls", "bluetoothd-killed",
    ]

    init(_ name: String) throws {
        self.name = name
        steps = try Recording.lines(of: "scenes/\(name).scene").filter { !$0.hasPrefix("#") }
    }

    /// Runs the scene and returns the recorded lines.
    func record(on stage: any BusStage) async throws -> [String] {
        try await stage.prepare()
        var rest = steps[...]
        var device = TestDevice()
        if let step = rest.first, step.hasPrefix("device ") {
            device = try Self.device(String(step.dropFirst(7)))
            rest = rest.dropFirst()
        }
        try await stage.start(device)
        let witness = try await BusWitness(
            bus: stage.bus, loop: stage.loop, words: BusWords(adapter: "hci0", device: Stages.address),
            patience: stage.patience)
        try await witness.start()
        for step in rest { try await Self.play(step, with: witness, on: stage) }
        let lines = await witness.lines
        await witness.close()
        return lines
    }

    private static func play(_ step: String, with witness: BusWitness, on stage: any BusStage) async throws {
        let words = step.split(separator: " ").map(String.init)
        switch (words[0], words.count) {
        // A call contains the role of the object and the method. `begin` does not wait for the answer.
        case ("call", 3): try await witness.call(words[2], words[1])
        case ("begin", 3): try await witness.begin(words[2], words[1])
        case ("read", 2): try await witness.call("ReadValue", words[1], .properties([:]))
        case ("write", 3):
            let bytes = try #require(Hex.bytes(words[2]))
            try await witness.call("WriteValue", words[1], .bytes(bytes), .properties([:]))
        case ("forget", 1): try await witness.call("RemoveDevice", "adapter", witness.devicePath)
        case ("power", 2): try await witness.power(words[1] == "on")
        case ("agent", 1): try await witness.serveAgent()
        case ("look", 1): try await witness.look()
        // Waits for a line with this start, since the last call or event.
        case ("wait", 2...): try await witness.wait(String(step.dropFirst(5)))
        case ("find", 1): try await witness.find()
        case ("connect", 1): try await witness.connect()
        case ("radio", 2):
            await witness.deed(words[1])
            try await stage.radio(words[1])
        case ("act", 2...):
            await witness.deed(String(step.dropFirst(4)))
            try await stage.act(String(step.dropFirst(4)))
        case ("device", 2):
            await witness.deed(step)
            try await stage.replace(by: Self.device(words[1]))
        case ("kill", 1):
            await witness.deed("kill")
            try await stage.kill()
        case ("start", 1):
            await witness.deed("start")
            try await stage.revive()
        default: throw Recording.Failure(description: "no step of a scene: \(step)")
        }
    }

    private static func device(_ kind: String) throws -> TestDevice {
        var device = TestDevice()
        switch kind {
        case "keyboard": device.isInput = true
        case "grown": device.isGrown = true
        default: throw Recording.Failure(description: "no kind of device: \(kind)")
        }
        return device
    }
}

extension BusWitness {
    nonisolated var devicePath: Value {
        .objectPath(BlueZName.path(ofAdapter: "hci0").appending("dev_02_B1_7E_00_00_01"))
    }

    /// Discovers in the same way as the bridge, until the device is found.
    func find() async throws {
        let news = lines.last { line in
            ["+ dev", "- dev", "= dev"].contains { line.hasPrefix($0) } && line.contains("Device1")
        }
        let isKnown = news.map { !$0.hasPrefix("-") } ?? false
        try await call("SetDiscoveryFilter", "adapter", .properties(["Transport": .string("le")]))
        try await call("StartDiscovery", "adapter")
        try await wait(isKnown ? "dev RSSI=…" : "+ dev Device1")
        try await call("StopDiscovery", "adapter")
        try await wait("adapter Discovering=false")
    }

    /// Connects, and waits for the services and the battery plugin.
    func connect() async throws {
        try begin("Connect", "dev")
        try await wait("< dev Connect")
        try await wait("dev ServicesResolved=true")
        try await wait("+ dev Battery1")
    }

    func power(_ isOn: Bool) async throws {
        try await set("Powered", .bool(isOn), of: "adapter")
    }
}
