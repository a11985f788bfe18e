import Bluetooth
import BridgeContract
import DeviceKit
import EventLoop
import Foundation
import Glibc
import Synchronization
import Testing

@testable import HostServices
@testable import StateFiles

@Suite("The files of emergency stops", .timeLimit(.minutes(1)))
struct LatchStoreTests {
    private static let address: Address = "AA:BB:CC:DD:EE:FF"
    private static let other: Address = "AA:BB:CC:DD:EE:01"

    private func store(_ scope: ConfigurationScope, disk: Disk = Disk()) -> FileLatchStore {
        FileLatchStore(folder: "\(scope.folder)/state", files: FileThread.loop, disk: disk)
    }

    private func path(_ scope: ConfigurationScope) -> String {
        "\(scope.folder)/state/latches/\(Self.address)"
    }

    private func status(_ path: String) -> stat {
        var status = stat()
        #expect(stat(path, &status) == 0)
        return status
    }

    @Test("A latch exists after a restart, in a readable line")
    func roundTrip() async throws {
        try await ConfigurationScope.with { scope in
            #expect(await store(scope).load() == .known([:]))
            #expect(await store(scope).make(.unconfirmed, of: Self.address) == nil)
            #expect(await store(scope).make(.clear, of: Self.other) == nil)
            #expect(await store(scope).keep(.latched, of: Self.address) == nil)
            #expect(await store(scope).load() == .known([Self.address: .latched, Self.other: .clear]))
            let text = try String(contentsOfFile: path(scope), encoding: .utf8)
            #expect(text == "E AA:BB:CC:DD:EE:FF C=clear U=unconfirmed, any other letter=emergency stop\n")
        }
    }

    @Test("A change overwrites one byte of the same file, and needs no free space")
    func inPlace() async throws {
        try await ConfigurationScope.with { scope in
            #expect(await store(scope).make(.clear, of: Self.address) == nil)
            let before = status(path(scope))
            for latch in [Latch.latched, .clear, .unconfirmed, .latched] {
                #expect(await store(scope).keep(latch, of: Self.address) == nil)
                #expect(await store(scope).load() == .known([Self.address: latch]))
                let after = status(path(scope))
                #expect(after.st_ino == before.st_ino && after.st_size == before.st_size)
                #expect(after.st_blocks == before.st_blocks)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(scope.folder)/state/latches")
            #expect(files == ["AA:BB:CC:DD:EE:FF"])
        }
    }

    @Test("An existing latch is not replaced")
    func made() async throws {
        try await ConfigurationScope.with { scope in
            #expect(await store(scope).keep(.latched, of: Self.address) == nil)
            #expect(await store(scope).make(.clear, of: Self.address) == nil)
            #expect(await store(scope).load() == .known([Self.address: .latched]))
        }
    }

    @Test("Anything but a complete file of this device with another state is an emergency stop")
    func damage() async throws {
        let whole = LatchFile.bytes(.clear, of: Self.address)
        #expect(LatchFile.latch(whole, of: Self.address) == .clear)
        #expect(LatchFile.latch(whole, of: Self.other) == .latched)
        for count in 0..<whole.count {
            #expect(LatchFile.latch(Array(whole[..<count]), of: Self.address) == .latched)
        }
        #expect(LatchFile.latch(whole + [0], of: Self.address) == .latched)
        for letter in UInt8.min...UInt8.max {
            let latch = LatchFile.latch([letter] + whole.dropFirst(), of: Self.address)
            let expected: Latch =
                switch letter {
                case UInt8(ascii: "C"): .clear
                case UInt8(ascii: "U"): .unconfirmed
                default: .latched
                }
            #expect(latch == expected, "\(letter)")
        }
        try await ConfigurationScope.with { scope in
            for text in ["", "clear\n", "C"] {
                #expect(await store(scope).keep(.clear, of: Self.address) == nil)
                try scope.write("state/latches/\(Self.address)", text)
                #expect(await store(scope).load() == .known([Self.address: .latched]))
                #expect(await store(scope).keep(.latched, of: Self.address) == nil)
                #expect(await store(scope).load() == .known([Self.address: .latched]))
                // A release repairs the file.
                #expect(await store(scope).keep(.clear, of: Self.address) == nil)
                #expect(await store(scope).load() == .known([Self.address: .clear]))
            }
        }
    }

    @Test("A folder that cannot be read or written is reported")
    func noFolder() async throws {
        try await ConfigurationScope.with { scope in
            try FileManager.default.createDirectory(
                atPath: "\(scope.folder)/state", withIntermediateDirectories: true)
            try scope.write("state/latches", "a file where the folder should be")
            let reason = "read \(scope.folder)/state/latches: Not a directory"
            #expect(await store(scope).load() == .unreadable(reason))
            #expect(await store(scope).keep(.latched, of: Self.address)?.contains("Not a directory") == true)
            #expect(await store(scope).make(.clear, of: Self.address)?.contains("ot a directory") == true)
        }
    }

    @Test("A file that cannot be read is an emergency stop")
    func unreadableFile() async throws {
        try await ConfigurationScope.with { scope in
            try FileManager.default.createDirectory(
                atPath: path(scope), withIntermediateDirectories: true)
            #expect(await store(scope).load() == .known([Self.address: .latched]))
        }
    }

    @Test(
        "A release that the disk rejects leaves the file unchanged", arguments: [Latch.latched, .unconfirmed])
    func failedRelease(latch: Latch) async throws {
        try await ConfigurationScope.with { scope in
            #expect(await store(scope).keep(latch, of: Self.address) == nil)
            let failing = Disk(synchroniseData: { _ in
                errno = EIO
                return -1
            })
            let reason = await store(scope, disk: failing).keep(.clear, of: Self.address)
            #expect(reason == "write \(path(scope)): Input/output error")
            #expect(await store(scope).load() == .known([Self.address: latch]))
            let refused = await store(scope, disk: failing).keep(.latched, of: Self.address)
            #expect(refused?.contains("Input/output error") == true)
        }
    }

    @Test("An emergency stop precedes the files of three hundred robots that are being created")
    func priority() async throws {
        try await ConfigurationScope.with { scope in
            let standing = StandingDisk()
            let files = try EventLoop.start(name: "standing")
            let store = FileLatchStore(folder: "\(scope.folder)/state", files: files, disk: standing.disk)
            #expect(await self.store(scope).make(.clear, of: Self.address) == nil)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let address = Address("AA:BB:CC:00:\(number < 256 ? "00" : "01"):\(Self.hex(number))")
                        _ = await store.make(.unconfirmed, of: address ?? Self.other)
                    }
                }
                // The first file is being created. Each new file waits for the disk twice, a stop once.
                while standing.calls == 0 { await Task.yield() }
                let isKept = Mutex(false)
                group.addTask {
                    #expect(await store.keep(.latched, of: Self.address) == nil)
                    isKept.withLock { $0 = true }
                }
                while !isKept.withLock(\.self) {
                    standing.release()
                    try? await Task.sleep(for: .milliseconds(1))
                }
                #expect(standing.calls < 500, "behind the files there would be 601")
                standing.release(700)
            }
            files.stop()
        }
    }

    @Test("Many emergency stops are all written before the first wait for the disk")
    func marking() async throws {
        try await ConfigurationScope.with { scope in
            let standing = StandingDisk()
            let files = try EventLoop.start(name: "standing")
            let store = FileLatchStore(folder: "\(scope.folder)/state", files: files, disk: standing.disk)
            let addresses = (0..<40).compactMap { Address("AA:BB:CC:00:00:\(Self.hex($0))") }
            for address in addresses { #expect(await self.store(scope).make(.clear, of: address) == nil) }
            let stopped = {
                addresses.count { address in
                    let path = "\(scope.folder)/state/latches/\(address)"
                    return (try? String(contentsOfFile: path, encoding: .utf8))?.hasPrefix("E ") == true
                }
            }
            let asked = Count()
            await withTaskGroup(of: Void.self) { group in
                for address in addresses {
                    group.addTask {
                        asked.value.add(1, ordering: .relaxed)
                        #expect(await store.keep(.latched, of: address) == nil)
                    }
                }
                while standing.calls == 0 || asked.value.load(ordering: .relaxed) < 40 { await Task.yield() }
                // The first stop may be alone. The others queue while it waits for the disk, and later ones while the
                // next stop waits.
                var most = stopped() - standing.calls
                while stopped() < 40 {
                    let calls = standing.calls
                    standing.release()
                    while standing.calls == calls, stopped() < 40 { await Task.yield() }
                    most = max(most, stopped() - standing.calls)
                }
                #expect(most > 10, "one after the other, none would be written before its turn at the disk")
                standing.release(100)
            }
            #expect(stopped() == 40)
            files.stop()
        }
    }

    /// The number of requested stops.
    private final class Count: Sendable { let value = Atomic(0) }

    private static func hex(_ number: Int) -> String {
        let text = String(number % 256, radix: 16, uppercase: true)
        return text.count < 2 ? "0\(text)" : text
    }
}
