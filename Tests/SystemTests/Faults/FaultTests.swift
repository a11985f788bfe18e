import Testing

/// The fault matrix. `deploy/faults` puts its results into `docs/measurements/faults.md`.
@Suite("Whatever goes wrong, what must hold holds")
struct FaultTests {
    @Test("A fault", arguments: Fault.chosen)
    func row(_ fault: Fault) async throws {
        let time: Duration
        do { time = try await fault.commit() } catch let lack as Fault.NotTried {
            print("\(fault.testDescription): not tried: \(lack.reason)")
            return
        }
        print("\(fault.testDescription): \(FaultTable.text(time)), \(fault.counted)")
        #expect(time < fault.limit)
        try FaultTable.note(fault, time)
    }

    @Test("The documents have each fault as it is declared, and no other; deploy/faults renews them")
    func page() throws {
        #expect(try FaultTable.inPage() == Fault.all.map { [$0.name, $0.holds, $0.counted] })
    }

    @Test("No two faults have one name, and each place has some")
    func names() {
        #expect(Set(Fault.all.map(\.testDescription)).count == Fault.all.count)
        #expect(Set(Fault.all.map(\.place)) == Set(Fault.Place.allCases))
    }
}
