extension PacketRow {
    static let version2 = [
        PacketRow(
            name: "a field with the name of a qualifier",
            items: ["{ count: u8 }", "{ field: offset, type: i8, scale: 0.5 }"], version: 2,
            reads: [("02fd", #"{"count":2,"offset":-1.5}"#)],
            writes: [(#"{"count":2,"offset":-1.5}"#, "02fd")]),
        PacketRow(
            name: "date_time", items: ["{ a: date_time, zone: utc }", "{ b: date_time }"], version: 2,
            reads: [
                (
                    "ea070b1b070f09ea070b1b070f09",
                    #"{"a":"2026-11-27T07:15:09+00:00","b":"2026-11-27T07:15:09"}"#
                ),
                ("0000000000000000000000000000", #"{"a":null,"b":null}"#),
                (
                    "ea07041f000000ea070b1b070f09",
                    "garbage: a: found 2026-04-31T00:00:00; allowed: a date of the calendar"
                ),
            ]),
        PacketRow(
            name: "unix32", items: ["{ a: unix32, zone: utc }"], version: 2,
            reads: [("00f15365", #""2023-11-14T22:13:20+00:00""#)]),
        PacketRow(
            name: "now as date_time",
            items: [
                "{ now: date_time, zone: local }", "{ now: weekday, zone: local }", "{ now: fraction256 }",
                "{ a: u8 }",
            ], version: 2, writes: [(#"{"a":1}"#, "ea070101010f04048001")]),
        PacketRow(
            name: "length of an earlier item",
            items: [
                "{ _n: u8, bits: { _size: { at: [0, 3] } } }", "{ a: text, length: _size }", "{ b: u8 }",
            ],
            version: 2,
            reads: [
                ("f2686907", #"{"a":"hi","b":7}"#),
                ("f36869", "garbage: a: the packet ends after 3 bytes; 3 more are needed"),
            ]),
        PacketRow(
            name: "tagged, times",
            items: [
                "{ _all: tagged, of: { 1: [ { a: u8, times: 2 } ], 2: [ { b: i16 } ], 3: [ { a: u16, times: 2 } ] } }"
            ], version: 2,
            reads: [
                ("0105020300", #"{"a":5,"a_2":null,"b":3}"#),
                ("010503060001070100", #"{"a":5,"a_2":6,"b":null}"#),
                ("01050201", #"{"a":5,"a_2":null,"b":null}"#), ("09", #"{"a":null,"a_2":null,"b":null}"#),
            ]),
        PacketRow(
            name: "tagged with tag, length and unknown",
            items: [
                "{ _all: tagged, tag: u16, big: true, length: u8, unknown: skip, of: { 0x0102: [ { a: hex } ] } }",
                "{ b: u8 }",
            ], version: 2, reads: [("09990100010202abcd07", #"{"a":"abcd","b":7}"#)]),
        PacketRow(
            name: "tagged with unknown: refuse",
            items: ["{ _all: tagged, unknown: refuse, of: { 1: [ { a: u8 } ] } }"], version: 2,
            reads: [
                ("0105", "5"), ("02", "garbage: found the tag 2; allowed: 1"),
                ("01", "garbage: a: the packet ends after 1 bytes; 1 more are needed"),
            ]),
        PacketRow(
            name: "take", items: ["{ a: u8 }", "{ b: u8 }", "{ c: u8 }"], beside: "take: [c, a]", version: 2,
            reads: [("010203", #"{"a":1,"c":3}"#)]),
        PacketRow(
            name: "partial",
            items: ["{ _f: u8 }", "{ a: u8, if: { _f: { mask: 1, equals: 1 } } }", "{ b: u8 }"],
            beside: "partial: true", version: 2,
            reads: [("010203", #"{"a":2,"b":3}"#)]),
        PacketRow(
            name: "derive", items: ["{ a: u16 }", "{ _time: u16 }"],
            beside: "derive: [ { field: rate, rate: a, per: _time, ticks: 1024, maximum: 250 } ]", version: 2,
            reads: [("01000004", #"{"a":1,"rate":null}"#)]),
    ]
}
