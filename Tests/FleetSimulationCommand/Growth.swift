import ArgumentParser
import Bluetooth
import Claims
import Glibc

/// Measures what claims cost.
struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures what a message and a device cost by the number of bridges.")

    func run() throws {
        print("bridges   claim heard   place in the order (ns)")
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
        let before = mallinfo2().uordblks
        let machines = (0..<2500).map { number in
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
        let bytes = mallinfo2().uordblks - before
        print(
            "2500 devices: \(Int(bytes) / machines.count) bytes a device, of which "
                + "\(MemoryLayout<DeviceClaim>.size) are the machine")
    }

    /// Nanoseconds a round.
    private func time(rounds: Int, _ body: (Int, inout DeviceClaim) -> Void) -> Int {
        var machine = DeviceClaim(bridge: "z", address: Address(number: 1))
        let clock = ContinuousClock()
        let time = clock.measure { for round in 0..<rounds { body(round, &machine) } }
        return Int(time / .nanoseconds(1)) / rounds
    }
}
