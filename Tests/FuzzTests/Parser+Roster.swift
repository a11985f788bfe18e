import Bluetooth
import BridgeContract
import DeviceCatalog

/// The contents of a fleet's roster.
extension Parser {
    static let roster = [
        Parser(name: "roster") { bytes in
            let reader = RosterReader(Registry.families, reserved: ["homeassistant"])
            return entry(bytes, reader) + groups(bytes, reader)
        }
    ]

    private static func entry(_ bytes: [UInt8], _ reader: RosterReader) -> [String] {
        let address: Address = "C0:FF:EE:00:BE:01"
        do {
            var entry = try reader.entry(bytes, of: address)
            let again = try? reader.entry(entry.payload, of: address)
            // A whole number such as 1E02 is written as 100. Settings are compared in their written form.
            if let again, again.payload == entry.payload { entry.settings = again.settings }
            return again == entry ? [] : ["an entry comes back as something else: \(entry)"]
        } catch { return error.description.isEmpty ? ["refused without a word"] : [] }
    }

    private static func groups(_ bytes: [UInt8], _ reader: RosterReader) -> [String] {
        do {
            let groups = try reader.groups(bytes)
            let again = try? reader.groups(groups.payload)
            return again == groups ? [] : ["groups come back as something else: \(groups)"]
        } catch { return error.description.isEmpty ? ["refused without a word"] : [] }
    }
}
