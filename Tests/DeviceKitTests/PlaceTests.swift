import Testing

@testable import DeviceKit

@Suite("The location of a part")
struct PlaceTests {
    private struct Inner: Hashable, Sendable {
        var small: UInt8
        var list: [String]
    }

    private struct Whole: Hashable, Sendable {
        var flag = true
        var number = 7
        var text: String? = "a text that is too long for the string itself"
        var inner = Inner(small: 3, list: ["x"])
        var maybe: Inner?
        var doubled: Int {
            get { number * 2 }
            set { number = newValue / 2 }
        }
    }

    private func check<Part: Hashable & Sendable>(
        _ path: any WritableKeyPath<Whole, Part> & Sendable, _ part: Part
    ) {
        let place = WritablePlace(path)
        var (written, expected) = (Whole(), Whole())
        #expect(place.read(written) == expected[keyPath: path])
        for _ in 0..<3 { place.write(&written, part) }
        expected[keyPath: path] = part
        #expect(written == expected)
        #expect(place.read(written) == part)
        #expect(written != Whole())
    }

    @Test("Stored, nested and computed parts are read and written as through their key path")
    func parts() {
        check(\.flag, false)
        check(\.number, 9)
        check(\.text, nil)
        check(\.text, "another text that is too long for the string itself")
        check(\.inner, Inner(small: 4, list: ["y", "z"]))
        check(\.inner.small, 5)
        check(\.inner.list, ["v"])
        check(\.maybe, Inner(small: 1, list: []))
        check(\.doubled, 40)
    }

    @Test("A read value outlives the value that it was read from")
    func lifetime() {
        let place = Place<Whole, [String]>(\.inner.list)
        var read: [[String]] = []
        for number in 0..<100 {
            read.append(place.read(Whole(inner: Inner(small: 0, list: ["number \(number) of a hundred"]))))
        }
        #expect(read == (0..<100).map { ["number \($0) of a hundred"] })
    }
}
