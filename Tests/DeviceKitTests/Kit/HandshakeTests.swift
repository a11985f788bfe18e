import Bluetooth
import DeviceKit
import Testing

@Suite("The steps of a handshake")
struct HandshakeTests {
    private typealias Steps = Handshake<Int>

    private static let status = CharacteristicID(service: 0xAA00, uuid: 0xAA01)
    private static let name = CharacteristicID(service: 0xAA00, uuid: 0xAA02)
    private static let request = CharacteristicID(service: 0xAA00, uuid: 0xAA03)
    private static let unbonded = DeviceFailure(.pairingRequired, "the lamp wants a bond", advice: "press it")
    private static let error = OperationError(.failed, "no")

    private var effects = Effects()

    private static func steps(_ steps: [Steps.Step], isBonded: Bool = false) -> Steps {
        Steps(
            steps, within: .seconds(20), answerTime: .seconds(2),
            wording: .init(device: "lamp", unbonded: unbonded), isBonded: isBonded)
    }

    private mutating func take() -> [Effect] {
        defer { effects.removeAll() }
        return effects.list
    }

    @Test("Each step starts after the previous one, and the last one completes the handshake")
    mutating func order() {
        var steps = Self.steps([
            .init(.subscribe(Self.status)), .init(.read(Self.name)),
            .init(.ask(Self.request, [7], [70, 71])),
            .init(.ask(Self.request, [8], [])),
        ])
        #expect(steps.begin(&effects) == .waiting)
        #expect(take() == [.startTimer("handshake", after: .seconds(20)), .subscribe(Self.status)])
        #expect(steps.read(Self.name, .success([]), &effects) == .unrelated)
        #expect(steps.subscribed(Self.name, .success(()), &effects) == .unrelated)
        #expect(steps.subscribed(Self.status, .success(()), &effects) == .waiting)
        #expect(steps.awaitsRead(of: Self.name) && take() == [.read(Self.name)])
        #expect(steps.read(Self.name, .success([1]), &effects) == .waiting)
        #expect(take() == [.write(Write(Self.request, [7], token: Steps.token))])
        #expect(steps.written(3, .success(()), &effects) == .unrelated)
        #expect(steps.written(Steps.token, .success(()), &effects) == .waiting)
        #expect(take() == [.startTimer("answer", after: .seconds(2))])
        #expect(steps.heard(9, &effects) == .unrelated)
        #expect(steps.heard(71, &effects) == .waiting)
        #expect(take() == [.cancelTimer("answer"), .write(Write(Self.request, [8], token: Steps.token))])
        #expect(!steps.isOver)
        #expect(steps.written(Steps.token, .success(()), &effects) == .done)
        #expect(steps.isOver && take().last == .cancelTimer("handshake"))
        #expect(steps.isLate() == .unrelated)
    }

    @Test("An answer that arrives before the result of the write counts")
    mutating func early() {
        var steps = Self.steps([.init(.ask(Self.request, [7], [70]))])
        _ = steps.begin(&effects)
        #expect(steps.heard(70, &effects) == .done)
        #expect(steps.written(Steps.token, .success(()), &effects) == .unrelated)
    }

    @Test("A failed step is skipped if it is optional; otherwise the handshake fails")
    mutating func failure() {
        for isOptional in [false, true] {
            var steps = Self.steps([.init(.read(Self.name), isOptional: isOptional)])
            _ = steps.begin(&effects)
            let progress = steps.read(Self.name, .failure(Self.error), &effects)
            let failure = DeviceFailure(.handshake, "read(AA02) failed: failed: no")
            #expect(progress == (isOptional ? .done : .failed(failure)))
        }
        var steps = Self.steps([.init(.ask(Self.request, [], [1]))])
        _ = steps.begin(&effects)
        let refused = steps.written(Steps.token, .failure(Self.error), &effects)
        #expect(refused == .failed(DeviceFailure(.handshake, "ask(1) failed: failed: no")))
    }

    @Test(
        "A refused access reports a missing bond, except for an optional step of a bonded device",
        arguments: [false, true], [false, true])
    func bonding(isBonded: Bool, isOptional: Bool) {
        var effects = Effects()
        var steps = Self.steps(
            [.init(.subscribe(Self.status), isOptional: isOptional)], isBonded: isBonded)
        _ = steps.begin(&effects)
        let refusal = OperationError(.notPermitted, "no")
        let progress = steps.subscribed(Self.status, .failure(refusal), &effects)
        #expect(progress == (isBonded && isOptional ? .done : .failed(Self.unbonded)))
    }

    @Test("A missing answer fails its step, unless the value is known from another source")
    mutating func lateness() {
        for isKnown in [false, true] {
            var steps = Self.steps([.init(.ask(Self.request, [], [1]))])
            #expect(steps.answerIsLate(&effects) != .unrelated)
            steps = Self.steps([.init(.ask(Self.request, [], [1]))])
            let progress = steps.answerIsLate(isKnown: isKnown, &effects)
            let failure = DeviceFailure(.handshake, "ask(1) failed: timeout: no answer in 2 s")
            #expect(progress == (isKnown ? .done : .failed(failure)))
        }
        let steps = Self.steps([.init(.read(Self.name))])
        let late = DeviceFailure(.handshake, "the lamp was not ready within 20 s")
        #expect(steps.isLate() == .failed(late))
    }

    @Test("A step is inserted after the current step, and the end of a link removes all steps")
    mutating func change() {
        var steps = Self.steps([.init(.read(Self.name)), .init(.read(Self.status))])
        steps.insert(.init(.subscribe(Self.status)))
        #expect(steps.begin(&effects) == .waiting)
        #expect(steps.read(Self.name, .success([]), &effects) == .waiting)
        #expect(steps.current?.action == .subscribe(Self.status))
        steps.abandon()
        #expect(steps.isOver && steps.subscribed(Self.status, .success(()), &effects) == .unrelated)
        steps.insert(.init(.read(Self.name)))
        #expect(steps.current?.action == .read(Self.name))
    }
}
