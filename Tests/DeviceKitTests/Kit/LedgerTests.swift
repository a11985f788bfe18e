import Bluetooth
import DeviceKit
import Testing

@Suite("Ledgers of writes and reads, and confirmations")
struct LedgerTests {
    private static let value = CharacteristicID(service: 0xAA00, uuid: 0xAA01)

    @Test("Each write has a unique token, and its completion returns its purpose once")
    func writes() {
        var (ledger, effects) = (WriteLedger<String>(), Effects())
        let first = ledger.write(Self.value, [1], for: "one", &effects)
        let second = ledger.write(Self.value, [2], .withoutResponse, priority: .stop, for: "two", &effects)
        #expect(
            effects.list == [
                .write(Write(Self.value, [1], token: first)),
                .write(Write(Self.value, [2], .withoutResponse, priority: .stop, token: second)),
            ])
        #expect(first != second && first != 0 && ledger.purposes == ["one", "two"])
        #expect(ledger.contains { $0 == "two" } && !ledger.contains { $0 == "three" })
        #expect(ledger.complete(second) == "two")
        #expect(ledger.complete(second) == nil)
        #expect(ledger.complete(0) == nil)
        #expect(ledger.purposes == ["one"])
    }

    @Test("The end of a link returns the purposes of the writes in order, and tokens are not reused")
    func forgetting() {
        var (ledger, effects) = (WriteLedger<Int>(), Effects())
        let tokens = (1...4).map { ledger.write(Self.value, [], for: $0, &effects) }
        #expect(ledger.forget { $0.isMultiple(of: 2) } == [2, 4])
        #expect(ledger.complete(tokens[1]) == nil)
        #expect(ledger.forget() == [1, 3])
        #expect(ledger.purposes.isEmpty && ledger.complete(tokens[0]) == nil)
        #expect(!tokens.contains(ledger.write(Self.value, [], for: 5, &effects)))
    }

    @Test("Reads complete in order; abandoned reads complete without a purpose")
    func reads() {
        var (ledger, effects) = (ReadLedger<String>(Self.value), Effects())
        #expect(ledger.complete() == nil)
        ledger.read(for: "old", &effects)
        ledger.abandon()
        ledger.read(for: "new", &effects)
        #expect(effects.list == [.read(Self.value), .read(Self.value)])
        #expect(ledger.complete() == nil)
        #expect(ledger.complete() == "new")
        ledger.read(for: "a", &effects)
        ledger.abandon()
        ledger.read(for: "b", &effects)
        #expect(ledger.forget() == ["b"])
        #expect(ledger.complete() == nil)
    }

    @Test("A confirmation requires the acknowledgment and the report of the device, in either order")
    func confirmation() {
        var effects = Effects()
        var request = Confirmation("mode 3", within: .seconds(1))
        request.begin(&effects)
        #expect(!request.isDone)
        request.heard()
        #expect(!request.isDone)
        request.acknowledged(&effects)
        #expect(request.isDone && request.goal == "mode 3")
        request.end(&effects)
        #expect(
            effects.list == [
                .startTimer("confirmation", after: .seconds(20)),
                .startTimer("confirmation", after: .seconds(1)), .cancelTimer("confirmation"),
            ])
        var other = Confirmation(0, within: .seconds(1))
        other.acknowledged(&effects)
        #expect(!other.isDone)
        other.heard()
        #expect(other.isDone)
    }
}
