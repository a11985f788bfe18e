import EventLoop
import Glibc
import Testing

@Suite("Watches on descriptors", .timeLimit(.minutes(1)))
struct WatchTests {
    @Test("A readable descriptor calls its watch until the watch is canceled")
    func readable() async throws {
        try await withLoop { loop in
            let ends = try Pipe()
            let actor = LoopActor(on: loop)
            let received: [UInt8] = await actor.value { loop, answer in
                var all: [UInt8] = []
                var watch: Watch?
                watch = loop.watch(ends.readEnd, for: .readable) { readiness in
                    all += readiness.contains(.readable) ? ends.take(2) : []
                    guard all.count == 5 else { return }
                    watch?.cancel()
                    watch = nil
                    _ = ends.put([9])
                    _ = loop.schedule(after: .milliseconds(2)) { answer(all) }
                }
                _ = ends.put([1, 2, 3, 4, 5])
            }
            #expect(received == [1, 2, 3, 4, 5])
        }
    }

    @Test("Two watches of one descriptor are both called, and one can be paused")
    func twoWatches() async throws {
        try await withLoop { loop in
            let ends = try Pipe()
            let actor = LoopActor(on: loop)
            let calls: [String] = await actor.value { loop, answer in
                var calls: [String] = []
                var watches: [Watch] = []
                watches.append(
                    loop.watch(ends.readEnd, for: .readable) { _ in
                        calls.append("first")
                        watches[0].interest = []
                    })
                watches.append(
                    loop.watch(ends.readEnd, for: .readable) { _ in
                        calls.append("second")
                        guard calls.count == 3 else { return }
                        for watch in watches { watch.cancel() }
                        watches = []
                        answer(calls)
                    })
                _ = ends.put([1])
            }
            #expect(calls == ["first", "second", "second"])
        }
    }

    @Test("The interest of a watch can change at any time without an effect on other watches")
    func changes() async throws {
        try await withLoop { loop in
            let ends = try Pipe(goesBothWays: true)
            let other = try Pipe()
            let actor = LoopActor(on: loop)
            let calls: [Readiness] = await actor.value { loop, answer in
                var calls: [Readiness] = []
                var watches: [Watch] = []
                watches.append(loop.watch(other.readEnd, for: .readable) { _ in watches[0].cancel() })
                watches.append(
                    loop.watch(ends.readEnd, for: .readable) { readiness in
                        calls.append(readiness)
                        switch calls.count {
                        // Changed and changed back in one round, with an earlier watch that is removed in that round.
                        case 1:
                            watches[1].interest = .writable
                            watches[1].interest = .readable
                        case 2: watches[1].interest = [.readable, .writable]
                        case 3: watches[1].interest = .writable
                        case 4:
                            watches[1].interest = []
                            watches[1].interest = .readable
                        default:
                            for watch in watches { watch.cancel() }
                            watches = []
                            answer(calls)
                        }
                    })
                _ = other.put([1])
                _ = ends.put([1])
            }
            #expect(calls == [.readable, .readable, [.readable, .writable], .writable, .readable])
        }
    }

    @Test("A full pipe becomes writable after it was read")
    func writable() async throws {
        try await withLoop { loop in
            let ends = try Pipe()
            let block = [UInt8](repeating: 0, count: 65536)
            while ends.put(block) > 0 {}
            let actor = LoopActor(on: loop)
            let readiness: Readiness = await actor.value { loop, answer in
                var watch: Watch?
                watch = loop.watch(ends.writeEnd, for: .writable) { readiness in
                    watch?.cancel()
                    watch = nil
                    answer(readiness)
                }
                _ = loop.schedule(after: .milliseconds(2)) { while !ends.take(65536).isEmpty {} }
            }
            #expect(readiness.contains(.writable))
        }
    }

    @Test("A hang-up is always reported")
    func hangUp() async throws {
        try await withLoop { loop in
            var ends: [CInt] = [-1, -1]
            #expect(pipe(&ends) == 0)
            let (readEnd, writeEnd) = (ends[0], ends[1])
            let actor = LoopActor(on: loop)
            let readiness: Readiness = await actor.value { loop, answer in
                var watch: Watch?
                watch = loop.watch(readEnd, for: .readable) { readiness in
                    watch?.cancel()
                    watch = nil
                    answer(readiness)
                }
                close(writeEnd)
            }
            close(readEnd)
            #expect(readiness.contains(.hungUp))
        }
    }

    @Test("A watch canceled by an earlier handler of the same round is not called")
    func cancelledInRound() async throws {
        try await withLoop { loop in
            let (one, two) = (try Pipe(), try Pipe())
            let actor = LoopActor(on: loop)
            let calls: Int = await actor.value { loop, answer in
                var calls = 0
                var watches: [Watch] = []
                for ends in [one, two] {
                    watches.append(
                        loop.watch(ends.readEnd, for: .readable) { _ in
                            calls += 1
                            for watch in watches { watch.cancel() }
                            watches = []
                        })
                    _ = ends.put([1])
                }
                _ = loop.schedule(after: .milliseconds(5)) { answer(calls) }
            }
            #expect(calls == 1)
        }
    }
}
