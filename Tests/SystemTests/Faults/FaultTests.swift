import Testing

/// The fault matrix. `deploy/faults` writes its results to `docs/measurements/faults.md`.
@Suite("The fault matrix: each condition holds in spite of its fault")
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

    @Test("The documents list each declared fault and no other; deploy/faults updates them")
    func page() throws {
        #expect(try FaultTable.inPage() == Fault.all.map { [$0.name, $0.holds, $0.counted] })
    }

    @Test("The names of faults are unique, and each place has faults")
    func names() {
        #expect(Set(Fault.all.map(\.testDescription)).count == Fault.all.count)
        #expect(Set(Fault.all.map(\.place)) == Set(Fault.Place.allCases))
    }
}
