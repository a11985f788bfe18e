import Bluetooth
import DBus
import EventLoop
import Synchronization
import Testing

@testable import BlueZ

@Suite("Growth with many devices", .timeLimit(.minutes(1)))
struct GrowthTests {
    @Test("A change of one device checks no conditions of other devices")
    func waiting() async throws {
        try await withBlueZ { scope in
            try await scope.fake.addDevice(BlueZScope.belt)
            try await scope.fake.addDevice(BlueZScope.robot)
            await scope.events.heard(BlueZScope.belt)
            await scope.events.heard(BlueZScope.robot)
            let asked = await scope.client.waitAside(for: BlueZScope.robot) { client in
                for number in 0..<100 {
                    client.take(
                        .changed(
                            FakeBlueZ.device(BlueZScope.belt), interface: Names.device,
                            ["Name": .string("Belt \(number)")], invalidated: []))
                }
                client.take(
                    .changed(
                        FakeBlueZ.device(BlueZScope.robot), interface: Names.device,
                        ["Name": .string("Robot")], invalidated: []))
            }
            // On entry into the wait (three times), and after the change of its own device.
            #expect(asked <= 4)
        }
    }

    @Test("The indices of the tree agree with its objects after random changes")
    func indices() {
        var tree = ObjectTree()
        var numbers = SystemRandomNumberGenerator()
        let adapters: [ObjectPath] = ["/org/bluez/hci0", "/org/bluez/hci1"]
        for adapter in adapters { _ = tree.add(adapter, [Names.adapter: [:]]) }
        for _ in 0..<2000 {
            let number = Int.random(in: 0..<20, using: &numbers)
            let adapter = adapters[Int.random(in: 0..<2, using: &numbers)]
            let address = "C0:00:00:00:00:" + (number < 10 ? "0\(number)" : "\(number)")
            let device = adapter.appending("dev_\(number)")
            let service = device.appending("service0010")
            switch Int.random(in: 0..<7, using: &numbers) {
            case 0, 1: _ = tree.add(device, [Names.device: ["Address": .string(address)]])
            case 2: _ = tree.add(service, [Names.gattService: ["UUID": .string("fe5\(number % 10)")]])
            case 3:
                _ = tree.add(
                    service.appending("char0011"),
                    [Names.characteristic: ["UUID": .string("0001"), "Service": .objectPath(service)]])
            case 4: _ = tree.remove(device, [Names.device])
            case 5: _ = tree.remove(service, [Names.gattService])
            default: _ = tree.remove(service.appending("char0011"), [Names.characteristic])
            }
            for address in Set(tree.devices.values.map(\.address)).union(tree.places.keys) {
                let all = tree.devices.values.filter { $0.address == address }.sorted { $0.path < $1.path }
                #expect(tree.devices(address) == all)
                #expect(tree.places[address]?.isEmpty != true)
            }
            for device in tree.devices.keys {
                let shown = tree.services.values.filter { $0.device == device }.map(\.uuid)
                #expect(tree.allServices(of: device) == Set(shown))
            }
        }
    }

    @Test("A queue of thousands of attempts keeps its order when some are canceled")
    func queue() {
        var queue = ConnectQueue()
        let tickets = (0..<3000).map { queue.enqueue(isUrgent: $0 % 10 == 0) }
        for ticket in tickets where ticket.number % 3 == 1 { queue.finish(ticket) }
        #expect(queue.waitingCount == 2000)
        var order: [ConnectQueue.Ticket] = []
        while let ticket = queue.next() {
            order.append(ticket)
            #expect(queue.next() == nil)
            queue.finish(ticket)
        }
        let rest = tickets.filter { $0.number % 3 != 1 }
        #expect(order == rest.filter(\.isUrgent) + rest.filter { !$0.isUrgent })
        #expect(queue.isEmpty)
    }
}

extension Client {
    /// Waits for a change of the device's name while a body runs; returns how often the condition was checked.
    fileprivate func waitAside(
        for address: Bluetooth.Address, _ body: @escaping @Sendable (isolated Client) -> Void
    ) async -> Int {
        let name = tree.devices(address).first?.name
        let asked = Atomic(0)
        // Runs after the start of the wait, which follows it in the loop's queue.
        after(16, body)
        _ = await until(.device(address), .seconds(30)) {
            asked.add(1, ordering: .relaxed)
            return self.tree.devices(address).first?.name != name
        }
        return asked.load(ordering: .relaxed)
    }

    /// Runs a body after this number of passes through the loop's queue.
    private func after(_ rounds: Int, _ body: @escaping @Sendable (isolated Client) -> Void) {
        loop.execute {
            self.assumeIsolated { client in
                if rounds == 0 { body(client) } else { client.after(rounds - 1, body) }
            }
        }
    }
}
