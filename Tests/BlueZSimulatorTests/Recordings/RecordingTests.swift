import Glibc
import HostTesting
import Testing

@testable import BlueZSimulator

/// Compares the simulator with recordings of bluetoothd, and the recordings with bluetoothd.
@Suite("The simulator behaves like the recorded bluetoothd", .timeLimit(.minutes(2)))
struct RecordingTests {
    @Test("A scene gives the recorded messages in the simulator", arguments: BusScene.all)
    func lookAlike(_ name: String) async throws {
        // The scene is repeated if the simulator's timers were ahead of a busy machine.
        for play in 1...3 {
            let seen = try await Recording.make(of: name, on: try LookAlikeStage())
            let differences = Recording.differences(BusRules.normalised(seen), try Recording.read(name))
            if differences.isEmpty { return }
            #expect(play < 3, "\(Recording.report(differences, allSeen: seen))")
        }
    }

    @Test("Services that are reported as resolved before they appear are complete in the end")
    func servicesLate() async throws {
        let name = "first-connections"
        let seen = try await Recording.make(
            of: name, on: try LookAlikeStage(servicesLate: .milliseconds(20)))
        #expect(Recording.earlyResolutions(in: seen) == 6)
        let differences = Recording.differences(BusRules.normalised(seen), try Recording.read(name))
        #expect(differences.isEmpty, "\(Recording.report(differences, allSeen: seen))")
    }
}

@Suite("Timing-dependent differences between recordings")
struct BusRulesTests {
    @Test("Timing-dependent properties are removed from all signals, and other properties are kept")
    func properties() {
        let apart = [
            "> dev Connect", "dev Connected=true", "dev Modalias=usb:v1", "dev ServicesResolved=true UUIDs=…",
        ]
        let together = ["> dev Connect", "dev Modalias=usb:v1 ServicesResolved=true UUIDs=…"]
        let rest = ["> dev Connect", "dev ServicesResolved=true UUIDs=…"]
        #expect(BusRules.normalised(apart) == rest)
        #expect(BusRules.normalised(together) == rest)
        #expect(BusRules.normalised(["dev RSSI=… Connected=true"]) == [])
        #expect(
            BusRules.normalised(["adapter Pairable=true Discovering=false"]) == ["adapter Discovering=false"])
    }

    @Test(
        "Services that are resolved before they appear are detected and moved",
        arguments: ["", "Modalias=m "])
    func early(_ other: String) {
        let resolved = "dev \(other)ServicesResolved=true UUIDs=…"
        let early = ["> dev Connect", resolved, "+ service:5BA10000 GattService1"]
        let usual = ["> dev Connect", "+ service:5BA10000 GattService1", resolved]
        #expect(Recording.earlyResolutions(in: early) == 1)
        #expect(Recording.earlyResolutions(in: usual) == 0)
        #expect(BusRules.normalised(early) == BusRules.normalised(usual))
    }
}

@Suite(
    "bluetoothd behaves as recorded", .serialized,
    .enabled(if: getenv("REALBLUEZ") != nil, "runs in the virtual machine: Tests/RealBlueZ/run"))
struct RealRecordingTests {
    /// The maximum number of runs of a scene. bluetoothd, its kernel and the device run concurrently, so that the order
    /// of messages can differ in rare cases. Real differences differ in every run.
    private static let plays = 3

    /// With `TACTILE_BRIDGE_RECORD`, the test writes new recordings to the folder in this variable.
    @Test("A scene gives the recorded messages in bluetoothd", arguments: BusScene.all)
    func real(_ name: String) async throws {
        var report = ""
        for play in 1...Self.plays {
            let seen: [String]
            do {
                seen = try await Recording.make(of: name, on: try RealStage())
            } catch {
                // See Tests/RealBlueZ/README.md: one of fifty kills of bluetoothd crashes the kernel.
                guard let fall = try RealStage.lastKernelFall() else { throw error }
                return print("real BlueZ: the kernel fell, and bluetoothd with it: \(fall)")
            }
            let early = Recording.earlyResolutions(in: seen)
            if early > 0 {
                print("scene \(name): services called resolved before they were shown, \(early) times")
            }
            if let folder = getenv("TACTILE_BRIDGE_RECORD") {
                print("scene \(name):\n  " + seen.joined(separator: "\n  "))
                return try Recording.write(BusRules.normalised(seen), name, in: String(cString: folder))
            }
            let differences = Recording.differences(BusRules.normalised(seen), try Recording.read(name))
            if differences.isEmpty { return }
            report = Recording.report(differences, allSeen: seen)
            print("scene \(name), play \(play), not as recorded: \(report)")
        }
        Issue.record("\(report)")
    }
}
