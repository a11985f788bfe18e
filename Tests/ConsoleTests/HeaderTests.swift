import Console
import Testing

@Suite("The headers of the console's responses")
struct HeaderTests {
    @Test(
        "Only the named pages may show the console in a frame",
        arguments: [
            ([], "'none'", true), (["self"], "'self'", false),
            (["self", "https://home.example:8123"], "'self' https://home.example:8123", false),
        ] as [([String], String, Bool)])
    func frames(_ ancestors: [String], _ sources: String, isDenied: Bool) throws {
        let headers = Response.headers(frameAncestors: ancestors)
        let policy = try #require(headers.first { $0.name == "Content-Security-Policy" }?.value)
        #expect(policy.hasPrefix("default-src 'none'; ") && policy.hasSuffix("; frame-ancestors \(sources)"))
        #expect(headers.contains { $0.name == "X-Frame-Options" } == isDenied)
    }
}
