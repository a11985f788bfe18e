import ArgumentParser
import BridgeConfiguration
import DeviceCatalog
import Reference

extension ReferencePage: ExpressibleByArgument {}

/// The command `tactile-bridge reference`.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Writes the generated part of a page of docs/reference.",
        discussion: "For deploy/reference, which inserts it between the marks on the page.",
        shouldDisplay: false)

    @Argument(help: "The page.")
    var page: ReferencePage

    func run() {
        let shipped = DeviceFileSource.standard(builtIn: Registry.families).shippedFamilies
        print(page.markdown(Registry.families, shipped: shipped))
    }
}
