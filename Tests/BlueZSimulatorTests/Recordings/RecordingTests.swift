import Glibc
import HostTesting
import Testing

@testable import BlueZSimulator

/// Holds the look-alike to what bluetoothd was recorded to do, and the recordings to what it does.
@Suite("On the bus the look-alike says what bluetoothd says", .timeLimit(.minutes(2)))
struct RecordingTests {
    @Test("Scene by scene", arguments: BusScene.all)
    func lookAlike(_ name: String) async throws {
        // Once more where the look-alike, which goes by the clock, was ahead of a machine that was busy.
        for play in 1...3 {
            let seen = try await Recording.make(of: name, on: try LookAlikeStage())
            let differences = Recording.differences(BusRules.normalised(seen), try Recording.read(name))
            if differences.isEmpty { return }
            #expect(play < 3, "\(Recording.report(differences, allSeen: seen))")
        }
    }

    @Test("Services that it calls resolved before it shows them are the same ones in the end")
    func servicesLate() async throws {
        let name = "first-connections"
        let seen = try await Recording.make(
            of: name, on: try LookAlikeStage(servicesLate: .milliseconds(20)))
        #expect(Recording.earlyResolutions(in: seen) == 6)
        let differences = Recording.differences(BusRules.normalised(seen), try Recording.read(name))
        #expect(differences.isEmpty, "\(Recording.report(differences, allSeen: seen))")
    }
}

@Suite("What of a recording is a matter of chance")
struct BusRulesTests {
    @Test("Properties of chance go, whichever signal brings them; the others stay")
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
        "Services that are resolved before they are shown are noticed, and put before",
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
    "bluetoothd says what was recorded", .serialized,
    .enabled(if: getenv("REALBLUEZ") != nil, "runs in the virtual machine: Tests/RealBlueZ/run"))
struct RealRecordingTests {
    /// How often a scene is played until it goes as recorded. bluetoothd, its kernel and the device run beside each other,
    /// so that now and then something comes in another order than ever before; what is really different is different
    /// each time.
    private static let plays = 3

    /// With `TACTILE_BRIDGE_RECORD` it makes the recordings anew, in the folder that this names.
    @Test("Scene by scene", arguments: BusScene.all)
    func real(_ name: String) async throws {
        var report = ""
        for play in 1...Self.plays {
            let seen: [String]
            do {
                seen = try await Recording.make(of: name, on: try RealStage())
            } catch {
                // See Tests/RealBlueZ/README.md: one killed bluetoothd in fifty takes the kernel with it.
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
