import Bluetooth
import DeviceFiles
import DeviceKit
import JSON
import Testing

@Suite("Packets")
struct PacketTests {
    private static func report(_ row: PacketRow) throws -> (ReportEntry, PacketFormat) {
        let text = Sample.text(packet: row.items, beside: row.beside, version: row.version)
        let file = try DeviceFile.read(text, file: "probe.yaml").file
        let report = try #require(file.features.first?.report)
        guard case .packet(let packet) = report.sources[0].form else { throw PacketTestError() }
        return (report, packet)
    }

    private struct PacketTestError: Error {}

    private static let context = PacketContext(milliseconds: 1_767_224_704_500, utcOffset: 90)

    @Test("Bytes are decoded in accordance with the table", arguments: PacketRow.all)
    func reading(_ row: PacketRow) throws {
        let (report, _) = try Self.report(row)
        for (hex, expected) in row.reads {
            let bytes = try #require(Hex.bytes(hex))
            let found: String
            do throws(PacketMisfit) {
                found = report.value(of: try report.sources[0].read(bytes)).description
            } catch {
                found = "garbage: \(error)"
            }
            #expect(found == expected, "\(hex)")
        }
    }

    @Test("Published values fit their declaration", arguments: PacketRow.all)
    func declaration(_ row: PacketRow) throws {
        let (report, packet) = try Self.report(row)
        for (hex, expected) in row.reads where !expected.hasPrefix("garbage") {
            let values = try packet.read(try #require(Hex.bytes(hex))).values
            for field in report.fields {
                let value = values[field.field.name] ?? .null
                if value == .null {
                    #expect(field.field.isNullable, "\(field.field.name) of \(hex)")
                } else {
                    #expect(throws: Never.self, "\(field.field.name) of \(hex)") {
                        try field.field.type.check(value, path: field.field.name)
                    }
                }
            }
        }
    }

    @Test("Values are encoded in accordance with the table", arguments: PacketRow.all)
    func writing(_ row: PacketRow) throws {
        let (_, packet) = try Self.report(row)
        for (json, expected) in row.writes {
            let values = try #require(try JSON.Value(parsing: json.utf8).object)
            let found: String
            do throws(CommandError) {
                found = Hex.string(try packet.write(values, Self.context).bytes)
            } catch {
                found = "error: \(error.code.rawValue)"
            }
            #expect(found == expected, "\(json)")
        }
    }

    @Test("Reading the written bytes gives the same values", arguments: PacketRow.all)
    func inverse(_ row: PacketRow) throws {
        let (report, packet) = try Self.report(row)
        for (hex, expected) in row.reads
        where row.writes.contains(where: { $0.1 == hex }) && expected != "null" {
            let values = try packet.read(try #require(Hex.bytes(hex))).values
            #expect(
                Hex.string(try packet.write(values, Self.context).bytes) == hex || row.name.hasPrefix("now"),
                "\(hex)")
            #expect(report.value(of: values).description == expected)
        }
    }

    @Test(
        "The table has a row for every type and every qualifier",
        arguments: [
            "u8", "u16", "u24", "u32", "u64", "i8", "i16", "i24", "i32", "i64", "f32", "f64", "sfloat",
            "float11073", "bool",
            "text", "bytes", "base64", "hex", "list", "sum", "skip", "literal", "pad", "now", "checksum",
            "big", "scale", "offset",
            "round", "equals", "values", "unknown", "null_if", "if", "unit", "minimum", "maximum", "class",
            "category", "name",
            "icon", "length", "of", "count", "bits", "over", "at", "exact", "date_time", "unix32", "tagged",
            "tag",
            "times", "zone", "field", "type", "derive", "partial", "take",
        ])
    func completeness(_ word: String) {
        let texts = PacketRow.all.map { ($0.items + [$0.beside]).joined(separator: " ") }
        #expect(texts.contains { $0.contains(" \(word)") || $0.hasPrefix(word) })
    }

    @Test(
        "Reading and writing a number of the same type does not change it", arguments: ["i16", "u16"],
        ["0.01", "0.1", "0.5", "1000/1024, round: 3"])
    func roundTrip(_ type: String, _ scale: String) throws {
        let (_, packet) = try Self.report(
            PacketRow(name: "", items: ["{ a: \(type), scale: \(scale), offset: -40.5 }"]))
        for raw in stride(from: 0, through: 65_535, by: 7) {
            let bytes = [UInt8(raw & 0xFF), UInt8(raw >> 8)]
            let values = try packet.read(bytes).values
            #expect(try packet.write(values).bytes == bytes)
            #expect(values["a"]?.description.count ?? 99 <= 10, "\(values)")
        }
    }

    @Test("A packet whose first number belongs to another feature does not fit")
    func strangers() throws {
        let heart = try ShippedFiles.file("heart.yaml")
        var (strangers, fitting) = (0, 0)
        for feature in heart.features {
            for case .packet(let packet) in (feature.report?.sources ?? []).map(\.form) {
                for flags in UInt8.min...UInt8.max {
                    for count in 0...9 {
                        let bytes = [flags] + Array(repeating: 60, count: count)
                        let reading = try? packet.read(bytes)
                        if packet.isStranger(bytes) {
                            strangers += 1
                            #expect(reading == nil, "\(feature.name): \(bytes)")
                        } else if reading != nil {
                            fitting += 1
                        }
                    }
                }
                #expect(!packet.isStranger([]))
            }
        }
        #expect(strangers > 1000 && fitting > 1000)
    }
}
