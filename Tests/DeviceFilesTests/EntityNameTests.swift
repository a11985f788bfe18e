import DeviceFiles
import DeviceKit
import Testing

@Suite("The names of a device file's entities")
struct EntityNameTests {
    private static func titles(_ features: String) throws -> [String] {
        let text = Sample.text(features: features)
            .replacing("setup: [ { subscribe: out } ]", with: "setup: [ { subscribe: out }, { read: in } ]")
        let file = try DeviceFile.read(text, file: "probe.yaml").file
        return FileFamily(file).features.flatMap(\.presentations).map(\.title)
    }

    @Test("The only field of a feature has the feature's name, and a battery is a battery")
    func readings() throws {
        #expect(
            try Self.titles(
                """
                battery:
                  summary: The charge.
                  kind: state
                  from: out
                  packet: [ { level: u8, unit: "%", class: battery } ]
                skin_contact:
                  summary: Whether it is worn.
                  kind: state
                  from: out
                  object: true
                  packet: [ { state: bool } ]
                air:
                  summary: The air.
                  kind: state
                  from: out
                  packet: [ { heat_index: u8 }, { damp: u8, name: Relative humidity }, { cell: u8, class: battery } ]
                """) == ["Battery", "Skin contact", "Heat index", "Relative humidity", "Battery"])
    }

    @Test("A single letter is a name; an event, a command and a control have the feature's name")
    func others() throws {
        #expect(
            try Self.titles(
                """
                button_a:
                  summary: A button.
                  kind: event
                  from: out
                  packet: [ { state: u8, values: { 0: released, 1: pressed }, class: button } ]
                reset_energy:
                  summary: Resets.
                  command: { write: { to: in, hex: "01" } }
                link_loss:
                  summary: How it alerts.
                  kind: state
                  from: in
                  packet: [ { level: u8, values: { 0: none, 1: mild } } ]
                  echo: true
                  command:
                    fields: { level: { type: choice, values: [ none, mild ] } }
                    write: { to: in, packet: [ { level: u8, values: { 0: none, 1: mild } } ] }
                delay:
                  summary: How slowly it scrolls.
                  kind: state
                  from: in
                  packet: [ { ms: u16, name: Scroll delay } ]
                  echo: true
                  command:
                    fields: { ms: { type: integer } }
                    write: { to: in, packet: [ { ms: u16 } ] }
                """) == ["Button A", "Reset energy", "Link loss", "Scroll delay"])
    }

    @Test("An event of a button has the class of a button")
    func button() throws {
        let file = try DeviceFile.read(
            Sample.text(
                features: """
                    button:
                      summary: A button.
                      kind: event
                      from: out
                      packet: [ { state: u8, values: { 0: released, 1: pressed }, class: button } ]
                    """), file: "probe.yaml"
        ).file
        #expect(FileFamily(file).features.first?.presentations.first?.deviceClass == "button")
    }
}
