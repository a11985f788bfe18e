import Testing

@testable import Guardian

@Suite("Devices whose wills the guardian is proven to have")
struct WillProofTests {
    private var proof = WillProof()

    private mutating func keep(_ devices: String...) { for device in devices { proof.keep(device) } }

    /// Handles the answers to these pings, and returns the devices that each one proves.
    private mutating func proved(_ numbers: UInt64...) -> [[String]] { numbers.map { proof.answered($0) } }

    @Test("The answer to a ping sent after the first will proves it, and later wills need no proof")
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

    @Test("A will stored after a ping waits for the next ping")
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

    @Test("The will of a new link counts as a first will, and no earlier answer proves it")
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

    @Test("A new process has no wills")
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
