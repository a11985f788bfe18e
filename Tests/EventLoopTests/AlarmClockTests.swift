import Glibc
import Testing

@testable import EventLoop

@Suite("The alarm clock of a loop")
struct AlarmClockTests {
    /// Returns the kernel's information about a descriptor.
    private func facts(_ descriptor: CInt) throws -> String {
        let file = try #require(fopen("/proc/self/fdinfo/\(descriptor)", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func isRinging(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    @Test("The alarm uses the clock that includes suspend")
    func clock() throws {
        let clock = try AlarmClock()
        #expect(try facts(clock.descriptor).contains("clockid: \(CLOCK_BOOTTIME)"))
    }

    @Test("The alarm fires at its time, not earlier, and only once")
    func rings() throws {
        var clock = try AlarmClock()
        let moment = EventLoop.now + .milliseconds(20)
        clock.set(notAfter: moment)
        #expect(isRinging(clock.descriptor, within: 5000))
        #expect(EventLoop.now >= moment)
        clock.rang()
        #expect(!isRinging(clock.descriptor, within: 0))
        clock.set(notAfter: EventLoop.now - .seconds(1))
        #expect(isRinging(clock.descriptor, within: 5000))
    }

    @Test("An earlier alarm remains, and a later one does not postpone it")
    func earliest() throws {
        var clock = try AlarmClock()
        clock.set(notAfter: EventLoop.now + .seconds(1000))
        clock.set(notAfter: EventLoop.now + .milliseconds(5))
        clock.set(notAfter: EventLoop.now + .seconds(1000))
        #expect(isRinging(clock.descriptor, within: 5000))
    }

    @Test("An alarm in the very distant future is harmless")
    func beyond() throws {
        var clock = try AlarmClock()
        clock.set(notAfter: .seconds(Int64.max / 4))
        #expect(!isRinging(clock.descriptor, within: 0))
    }
}
