import HostTesting
import Testing

@Suite("Linking of the programs")
struct HardeningTests {
    @Test(
        "All symbols are resolved at the start, and the table of their addresses is then read-only",
        arguments: ["tactile-bridge", "tactile-bridge-console", "tactile-simulator"])
    func linking(_ program: String) throws {
        let path = "\(Program.folder)/\(program)"
        let dynamic = try TestProcess.run(["readelf", "--dynamic", "--wide", path])
        #expect(dynamic.contains("BIND_NOW"), "\(dynamic)")
        #expect(dynamic.contains(/FLAGS_1\).*\bPIE\b/), "\(dynamic)")
        let headers = try TestProcess.run(["readelf", "--program-headers", "--wide", path])
        #expect(headers.contains("GNU_RELRO"), "\(headers)")
        #expect(headers.contains(/GNU_STACK.*\bRW\b/), "\(headers)")
    }
}
