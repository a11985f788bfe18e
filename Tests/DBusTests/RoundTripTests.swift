import DBus
import EventLoop
import Glibc
import HostTesting
import Testing

@Suite("Values in messages", .timeLimit(.minutes(2)))
struct RoundTripTests {
    static let echo = Interface(
        "test.Echo",
        methods: [
            .immediate("Echo", takes: "v", returns: "v") { $0.arguments },
            .immediate("Open", returns: "hq") { _ in
                .init([.descriptor(Descriptor(adopting: open("/dev/zero", O_RDONLY))), .uint16(517)])
            },
        ])

    @Test("Random values of every type return unchanged", arguments: [1, 2, 3, 4] as [UInt64])
    func randomValues(seed: UInt64) async throws {
        try await withBus { _, _, connections in
            let (client, server) = (connections[0], connections[1])
            try await server.export([Self.echo], at: "/echo")
            var random = RandomValues(seed: seed)
            for _ in 0..<250 {
                let value = random.value(of: random.type())
                let answer = try await client.call(
                    "Echo", of: "test.Echo", at: "/echo", on: server.uniqueName, .variant(value))
                #expect(answer.map(\.comparable) == [.variant(value.comparable)])
                #expect(answer[0].unwrapped.type == value.type)
            }
        }
    }

    @Test("Random arguments of signals arrive with their types, and a reader can skip each of them")
    func randomSignals() async throws {
        try await withBus { _, _, connections in
            let count = Counter()
            let counting = try await connections[0].subscribe(MatchRule(interface: "test.Signals")) {
                message in
                var reader = message.reader()
                while !reader.isAtEnd {
                    reader.skip()
                    count.add(1)
                }
            }
            // Subscribers receive in the order of their subscriptions: what the stream delivers is counted.
            let signals = try await connections[0].signals(MatchRule(interface: "test.Signals"))
            var random = RandomValues(seed: 99)
            var sent: [[Value]] = []
            for _ in 0..<200 {
                let values = (0..<3).map { _ in random.value(of: random.type()) }
                sent.append(values)
                try await connections[1].send(
                    Message(signal: "Any", of: "test.Signals", at: "/", values))
            }
            var iterator = signals.makeAsyncIterator()
            for values in sent {
                let received = await iterator.next()
                #expect(received?.arguments.map(\.comparable) == values.map(\.comparable))
                #expect(received?.sender == connections[1].uniqueName)
            }
            #expect(count.value == 600)
            counting.cancel()
        }
    }

    @Test("A passed descriptor is open, owned by the receiver, and usable")
    func descriptors() async throws {
        try await withBus { _, _, connections in
            try await connections[1].export([Self.echo], at: "/echo")
            let answer = try await connections[0].call(
                "Open", of: "test.Echo", at: "/echo", on: connections[1].uniqueName)
            #expect(answer[1] == .uint16(517))
            let descriptor = try #require(answer[0].descriptor)
            var byte: UInt8 = 1
            #expect(read(descriptor.number, &byte, 1) == 1)
            #expect(byte == 0)
            #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
            let copy = try descriptor.duplicate()
            #expect(copy != descriptor.number)
            close(copy)
        }
    }

    @Test("Messages of many megabytes arrive", arguments: [1 << 10, 1 << 20, 24 << 20])
    func bigMessages(size: Int) async throws {
        try await withBus { _, _, connections in
            try await connections[1].export([Self.echo], at: "/echo")
            var bytes = [UInt8](repeating: 7, count: size)
            (bytes[0], bytes[size / 2], bytes[size - 1]) = (1, 2, 3)
            let answer = try await connections[0].call(
                "Echo", of: "test.Echo", at: "/echo", on: connections[1].uniqueName, .variant(.bytes(bytes)),
                timeout: .seconds(60))
            let isEqual = answer.first?.unwrapped.bytes == bytes
            #expect(isEqual)
        }
    }

    @Test(
        "An invalid value is rejected before it is sent, and the connection still works",
        arguments: [
            Value.string("a\0b"), .array([.byte(1), .string("a")], of: .byte), .structure([]),
            .dictionary([.init(.byte(1), .byte(1))], key: .string, value: .byte),
            .array([.structure([.byte(1)])], of: .structure([.string])),
            .dictionary([], key: .variant, value: .byte),
            (0..<70).reduce(Value.byte(1)) { value, _ in .variant(value) },
            (0..<40).reduce(Value.byte(1)) { value, _ in .structure([value]) },
        ])
    func invalidValues(value: Value) async throws {
        try await withBus { _, _, connections in
            let error = await #expect(throws: DBusError.self) {
                try await connections[0].call(
                    "Echo", of: "test.Echo", at: "/echo", on: connections[1].uniqueName, .variant(value))
            }
            #expect(error?.code == .invalidValue)
            let owner = try await connections[0].owner(of: "org.freedesktop.DBus")
            #expect(owner == "org.freedesktop.DBus")
        }
    }

    @Test("An array of more than 64 MiB is rejected before it is sent")
    func tooLong() async throws {
        try await withBus(connections: 1) { _, _, connections in
            let bytes = Value.bytes([UInt8](repeating: 0, count: (1 << 26) + 1))
            let error = await #expect(throws: DBusError.self) {
                try await connections[0].emit("Tick", of: "test.Signals", at: "/", bytes)
            }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test(
        "Invalid names are rejected before they are sent",
        arguments: [
            Message(call: "A b", of: "test.Echo", at: "/", on: "test.Echo"),
            Message(call: "Echo", of: "Echo", at: "/", on: "test.Echo"),
            Message(call: "Echo", of: "test.Echo", at: "/", on: "nodots"),
            Message(signal: "", of: "test.Echo", at: "/"),
            Message(signal: "S", of: "test.Echo\0", at: "/"),
        ])
    func invalidNames(message: Message) async throws {
        try await withBus(connections: 1) { _, _, connections in
            let error = await #expect(throws: DBusError.self) { try await connections[0].send(message) }
            #expect(error?.code == .invalidValue)
        }
    }
}
