import Testing

@testable import Guardian

@Suite("Of which devices the guardian is known to have the will")
struct WillProofTests {
    private var proof = WillProof()

    private mutating func keep(_ devices: String...) { for device in devices { proof.keep(device) } }

    /// Takes the answers to these pings, and says what each proves.
    private mutating func proved(_ numbers: UInt64...) -> [[String]] { numbers.map { proof.answered($0) } }

    @Test("The answer to a ping that was sent after the first will proves it, and later wills need no proof")
    mutating func first() {
        #expect(!proof.needsPing)
        keep("/a")
        #expect(proof.needsPing)
        // An answer to an earlier ping proves nothing.
        let early = proved(3)
        proof.pinged(4)
        #expect(!proof.needsPing)
        keep("/a")
        #expect(!proof.needsPing)
        let answer = proved(4)
        keep("/a")
        #expect(!proof.needsPing)
        let late = proved(5)
        #expect(early + answer + late == [[], ["/a"], []])
    }

    @Test("A will that came behind a ping waits for the next one")
    mutating func behind() {
        keep("/a")
        proof.pinged(1)
        keep("/b")
        let first = proved(1)
        #expect(proof.needsPing)
        proof.pinged(2)
        let second = proved(2)
        #expect(first + second == [["/a"], ["/b"]])
    }

    @Test("The will of another link is a first one again, and no answer of before counts for it")
    mutating func link() {
        keep("/a")
        proof.pinged(1)
        proof.forget("/a")
        keep("/a")
        let former = proved(1)
        proof.pinged(2)
        let own = proved(2)
        #expect(former + own == [[], ["/a"]])
        proof.forget("/a")
        keep("/a")
        #expect(proof.needsPing)
    }

    @Test("Another process has no will yet")
    mutating func restart() {
        keep("/a", "/b")
        proof.pinged(1)
        let former = proved(1)
        proof.restart(with: ["/b"])
        #expect(proof.needsPing)
        proof.pinged(2)
        let other = proved(2)
        #expect(former + other == [["/a", "/b"], ["/b"]])
    }
}
