import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Link driver")
struct LinkDriverTests {
    /// A link without behavior, of which only the characteristics are used.
    private struct Table: DeviceLink {
        var profile: LinkProfile
        var adapter: String { "hci0" }
        var place: LinkPlace { LinkPlace(device: "/one", characteristics: [:]) }
        func perform(
            _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
            then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
        ) {}
        func settle() async {}
        func disconnect() async {}
        func leave() async {}
    }

    private static let control = SampleFamily.control
    private static let motor = SampleFamily.motor
    private static let status = SampleFamily.status
    private static let failure = OperationError(.failed, "refused")

    private func driver(
        _ characteristics: [CharacteristicID: CharacteristicProperties] = [
            control: [.read, .write], status: [.read, .notify],
        ], number: Int = 1
    ) -> LinkDriver {
        LinkDriver(Table(profile: LinkProfile(characteristics: characteristics)), number: number)
    }

    private func write(
        _ id: CharacteristicID, token: UInt64 = 1, _ kind: Write.Kind = .withResponse,
        priority: Write.Priority = .normal
    ) -> LinkOperation {
        .write(Write(id, [1], kind, priority: priority, token: WriteToken(token)))
    }

    private func start(_ driver: inout LinkDriver, at now: Duration = .zero) -> [LinkDriver.Ticket] {
        var tickets: [LinkDriver.Ticket] = []
        while let ticket = driver.next(at: now) { tickets.append(ticket) }
        return tickets
    }

    /// The token of a completed write, and the reason for its failure.
    private func written(_ input: Input?) -> (token: UInt64, failure: String?)? {
        guard case .writeCompleted(let token, _, let result)? = input else { return nil }
        if case .failure(let error) = result { return (token.number, error.message) }
        return (token.number, nil)
    }

    // MARK: Operations

    @Test("The end of an operation becomes an input, once the operation has had its turn")
    func order() throws {
        var driver = driver()
        #expect(driver.add(write(Self.control, token: 1)).isEmpty)
        #expect(driver.add(.read(Self.status)).isEmpty)
        let first = try #require(start(&driver, at: .seconds(1)).first)
        #expect(driver.hasWrites && start(&driver).isEmpty)
        let written = driver.finished(first, .success([]), at: .seconds(3))
        #expect(self.written(written?.input)?.token == 1)
        #expect(written?.writeTime == .seconds(2) && written?.proof == .answered)
        let second = try #require(start(&driver).first)
        #expect(second.operation == .read(Self.status) && !driver.hasWrites)
        let read = driver.finished(second, .failure(Self.failure), at: .seconds(4))
        guard case .readCompleted(Self.status, .failure)? = read?.input else {
            Issue.record("the machine does not hear of its read")
            return
        }
        #expect(read?.write == nil && read?.proof == nil)
    }

    @Test("Operations dropped for a stop fail")
    func dropped() {
        var driver = driver()
        _ = driver.add(write(Self.control, token: 1))
        _ = driver.add(write(Self.control, token: 2))
        _ = start(&driver)
        let dropped = driver.add(write(Self.motor, token: 3, priority: .stop)).compactMap(written)
        #expect(dropped.map(\.token) == [2] && dropped.first?.failure?.hasPrefix("dropped") == true)
    }

    @Test("The end of an operation of an earlier link is ignored")
    func earlier() throws {
        var former = driver(number: 1)
        _ = former.add(write(Self.control))
        let ticket = try #require(start(&former).first)
        var driver = driver(number: 2)
        #expect(driver.finished(ticket, .success([]), at: .zero) == nil)
        #expect(!driver.isWanted(ticket))
    }

    @Test("A characteristic whose last write failed is listed until a write succeeds")
    func failed() throws {
        var driver = driver()
        for (result, failed) in [(.failure(Self.failure), [Self.control]), (.success([]), [])]
            as [(Result<[UInt8], OperationError>, Set<CharacteristicID>)]
        {
            _ = driver.add(write(Self.control))
            let ticket = try #require(start(&driver).first)
            _ = driver.finished(ticket, result, at: .zero)
            #expect(driver.failedWrites == failed)
        }
    }

    @Test("Operations decided before a stall are called off, except stops")
    func stall() throws {
        var driver = driver()
        _ = driver.add(write(Self.control, token: 1))
        var tickets = start(&driver)
        _ = driver.add(write(Self.motor, token: 2, priority: .stop))
        tickets += start(&driver)
        #expect(tickets.count == 2 && tickets.allSatisfy { driver.isWanted($0) })
        driver.callOff()
        let wanted = tickets.filter { driver.isWanted($0) }.map(\.operation.priority)
        #expect(wanted == [.stop])
        let late = try #require(tickets.first { $0.operation.priority == .normal })
        let completion = driver.finished(late, .failure(Self.failure), at: .zero)
        #expect(written(completion?.input)?.failure?.contains("was delayed") == true)
        // A called-off write is neither counted nor recorded as a failure of the characteristic.
        #expect(completion?.write == nil && driver.failedWrites.isEmpty)
    }

    @Test("Operations of one batch count as decided before its first one, which may detect a stall")
    func stallWithin() throws {
        var driver = driver()
        _ = driver.add(write(Self.control, priority: .ahead))
        _ = driver.add(write(Self.motor, priority: .ahead))
        let begun = driver.next(at: .zero)
        driver.callOff()
        let (next, none) = (driver.next(at: .zero), driver.next(at: .zero))
        let (first, second) = (try #require(begun), try #require(next))
        #expect(!driver.isWanted(first) && !driver.isWanted(second))
        #expect(none == nil && !driver.isStarting)
        // An operation decided after the stall is sent.
        _ = driver.finished(first, .failure(Self.failure), at: .zero)
        _ = driver.add(write(Self.control, priority: .ahead))
        let later = driver.next(at: .zero)
        #expect(driver.isWanted(try #require(later)))
    }

    // MARK: Stops

    @Test("Stop waiters are answered when no writes are pending, with the first failure")
    func stops() throws {
        var driver = driver()
        var answers: [Answer] = []
        _ = driver.add(write(Self.motor, token: 1, priority: .stop))
        _ = driver.add(write(Self.control, token: 2, priority: .stop))
        driver.awaitStop { answers.append($0) }
        let tickets = start(&driver)
        #expect(tickets.count == 2)
        _ = driver.finished(tickets[0], .failure(Self.failure), at: .zero)
        #expect(driver.takeSettledStops().isEmpty)
        driver.awaitStop { answers.append($0) }
        _ = driver.finished(tickets[1], .success([]), at: .zero)
        for waiter in driver.takeSettledStops() { waiter.finish(.ok) }
        #expect(answers == [.failed(.deviceError, "refused"), .ok])
        #expect(driver.takeStops().isEmpty)
    }

    // MARK: Proof

    @Test("The proof reads a characteristic without writes, in its turn")
    func proof() throws {
        var driver = driver()
        _ = driver.add(.read(Self.control))
        _ = driver.add(write(Self.control))
        #expect(driver.askForProof() == true)
        #expect(driver.isProving)
        let first = start(&driver)
        #expect(first.map(\.operation) == [.read(Self.status)])
        let completion = driver.finished(first[0], .success([7]), at: .zero)
        // The state machine did not request this read.
        #expect(completion?.input == nil && completion?.proof == .answered)
        let second = start(&driver)
        #expect(second.map(\.operation) == [.read(Self.control)])
        guard case .readCompleted? = driver.finished(second[0], .success([7]), at: .zero)?.input else {
            Issue.record("the machine does not hear of its own read")
            return
        }
    }

    @Test("A link without readable characteristics cannot be proved")
    func unreadable() {
        var driver = driver([Self.motor: [.write]])
        #expect(driver.askForProof() == false)
        #expect(driver.isProving && start(&driver).isEmpty)
    }

    @Test(
        "A refusal by the device proves the link, a failure does not",
        arguments: [
            (.notPermitted, .answered), (.notSupported, .answered), (.timeout, .failed), (.failed, .failed),
        ] as [(OperationError.Code, LinkDriver.ProofResult)])
    func refusal(code: OperationError.Code, result: LinkDriver.ProofResult) throws {
        var driver = driver()
        _ = driver.askForProof()
        let ticket = try #require(start(&driver).first)
        let completion = driver.finished(ticket, .failure(OperationError(code, "no")), at: .zero)
        #expect(completion?.proof == result)
    }

    @Test("The link is proved by at most two reads, and the failure of an earlier read is ignored")
    func attempts() throws {
        var driver = driver()
        #expect(driver.wantsProofAgain() == nil)
        _ = driver.askForProof()
        let first = try #require(start(&driver).first)
        #expect(driver.wantsProofAgain() == true)
        _ = driver.askForProof()
        // One operation per characteristic: the second read waits for the end of the first.
        #expect(start(&driver).isEmpty)
        #expect(driver.wantsProofAgain() == false)
        #expect(driver.finished(first, .failure(Self.failure), at: .zero)?.proof == nil)
        #expect(start(&driver).map(\.operation) == [.read(Self.status)])
    }

    @Test("A canceled proof queues no read")
    func ended() {
        var driver = driver()
        _ = driver.askForProof()
        driver.endProof()
        #expect(!driver.isProving && start(&driver).isEmpty)
    }
}
