import DeviceFiles
import JSON
import Testing

@Suite("Decimal numbers")
struct DecimalTests {
    @Test(
        "A decimal number is read exactly",
        arguments: [
            ("214", 214, 0), ("-0.10", -1, -1), ("0.01", 1, -2), ("+5", 5, 0), ("100", 100, 0),
            ("1.50", 15, -1),
        ])
    func reading(_ text: String, _ coefficient: Int, _ exponent: Int) throws {
        let decimal = try #require(Decimal(text))
        #expect(decimal.coefficient == Int128(coefficient))
        #expect(decimal.exponent == exponent)
    }

    @Test("Other texts are no numbers", arguments: ["", "-", ".5", "5.", "1e3", "1_0", "0x1", "1.2.3", " 1"])
    func refused(_ text: String) { #expect(Decimal(text) == nil) }

    @Test(
        "Numbers are rounded half away from zero",
        arguments: [
            ("0.5", 0, "1"), ("-0.5", 0, "-1"), ("2.345", 2, "2.35"), ("-2.345", 2, "-2.35"),
            ("2.344", 2, "2.34"),
            ("1.5", 3, "1.5"), ("0.04", 0, "0"),
        ])
    func rounding(_ text: String, _ places: Int, _ rounded: String) throws {
        #expect(try #require(Decimal(text)).rounded(places).description == rounded)
    }

    @Test("Every number of tenths is written with one decimal")
    func tenths() {
        for tenths in -5000...5000 {
            let sign = tenths < 0 ? "-" : ""
            let whole = abs(tenths) / 10
            let text = tenths % 10 == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(abs(tenths) % 10)"
            #expect(Decimal(Int128(tenths), exponent: -1).json.description == text)
        }
    }
}
