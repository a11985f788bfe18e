import ArgumentParser
import Bluetooth
import Claims
import Glibc

/// Measures what claims cost.
struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the cost of a message and a device by the number of bridges.")

    func run() throws {
        print("bridges claim handled   place in the order (ns)")
        for count in [3, 50, 1000] {
            let bridges = (0..<count).map { "bridge\($0)" }
            let alive = Set(bridges)
            let peers = Neighbors(
                life: { alive.contains($0.bridge) ? .alive : .dead }, online: { bridges })
            let heard = time(rounds: 200_000) { round, machine in
                let claim = Claim(bridge: bridges[round % count], epoch: round, state: .linked)
                _ = machine.heard(claim, peers, at: .milliseconds(round))
            }
            var sum = 0
            let placed = time(rounds: 20_000) { round, _ in
                sum += Rendezvous.place(
                    of: bridges[round % count], among: bridges, for: Address(number: UInt64(round)))
            }
            precondition(sum >= 0)
            print(Text.cell("\(count)", 7) + Text.cell("\(heard)", 14) + Text.cell("\(placed)", 21))
        }
        let before = try Self.residentBytes()
        let machines = (0..<25_000).map { number in
            var machine = DeviceClaim(bridge: "bridge0", address: Address(number: UInt64(number)))
            let peers = Neighbors(life: { _ in .alive }, online: { ["bridge1"] })
            let claim = Claim(
                bridge: "a bridge with a long name", epoch: number, state: .linked,
                since: "2026-11-25T19:00:00.\(number)Z", adapter: "hci0", name: "belt/\(number)abcdefghijk",
                family: "belt")
            _ = machine.settle(peers, at: .zero)
            _ = machine.heard(claim, peers, at: .zero)
            return machine
        }
        let bytes = (try Self.residentBytes() - before) / machines.count
        let size = MemoryLayout<DeviceClaim>.size
        print(
            "\(bytes) bytes per device, \(size) of them the machine; 2,500 devices: \(bytes * 2500 / 1024) KiB"
        )
    }

    /// The memory of the process.
    private static func residentBytes() throws -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { throw ExitCode.failure }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 100)
        guard fgets(&line, 100, file) != nil else { throw ExitCode.failure }
        let words = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else { throw ExitCode.failure }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Nanoseconds a round.
    private func time(rounds: Int, _ body: (Int, inout DeviceClaim) -> Void) -> Int {
        var machine = DeviceClaim(bridge: "z", address: Address(number: 1))
        let clock = ContinuousClock()
        let time = clock.measure { for round in 0..<rounds { body(round, &machine) } }
        return Int(time / .nanoseconds(1)) / rounds
    }
}
