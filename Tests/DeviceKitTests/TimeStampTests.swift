import DeviceKit
import Testing

@Suite("Time stamps")
struct TimeStampTests {
    @Test(
        "Times are written as RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_769_860_800_123, "2026-01-31T12:00:00.123Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func text(_ milliseconds: Int64, _ text: String) {
        #expect(TimeStamp(milliseconds: milliseconds).description == text)
        #expect(TimeStamp(text)?.milliseconds == milliseconds)
    }

    @Test(
        "Times outside the range of RFC 3339 are clamped",
        arguments: [Int64.min, .max])
    func beyond(_ milliseconds: Int64) {
        let text = TimeStamp(milliseconds: milliseconds).description
        #expect(text == (milliseconds < 0 ? "0000-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z"))
    }

    @Test(
        "Other spellings of a time are parsed",
        arguments: [
            "2026-01-31T12:00:00Z", "2026-01-31t12:00:00z", "2026-01-31 12:00:00.0Z",
            "2026-01-31T13:30:00+01:30",
            "2026-01-31T04:00:00.000-08:00", "2026-01-31T12:00:00.0009999Z", "2026-02-01T11:59:00+23:59",
        ])
    func spellings(_ text: String) {
        #expect(TimeStamp(text)?.description == "2026-01-31T12:00:00.000Z")
    }

    @Test(
        "Invalid texts are refused",
        arguments: [
            "", "2026", "2026-01-31", "2026-01-31T12:00:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-01-32T00:00:00Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:61Z", "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00Zx", "2026-01-31T12:00:00+1:00", "2026-01-31T12:00:00+24:00",
            "2026-01-31T12:00:00+01:60", "12026-01-31T12:00:00Z", "now", "2026-01-31T12:00:00+",
        ])
    func none(_ text: String) {
        #expect(TimeStamp(text) == nil)
    }

    @Test("Times are ordered")
    func order() {
        #expect(TimeStamp(milliseconds: 1) < TimeStamp(milliseconds: 2))
    }
}
