import Foundation
import Testing

@Suite("The pages")
struct LinkTests {
    private static let paths = Repository.pages.map(\.path)

    @Test("Each link leads to a file of the repository and to an existing heading", arguments: paths)
    func links(_ path: String) throws {
        let page = try #require(Repository.page(path))
        for link in page.links where !link.isExternal {
            let words = link.path + (link.anchor.map { "#\($0)" } ?? "")
            guard let target = page.target(of: link) else {
                Issue.record("\(path): \(words) leads out of the repository")
                continue
            }
            guard Repository.exists(target) else {
                Issue.record("\(path): \(words): there is no \(target)")
                continue
            }
            guard let anchor = link.anchor, let headings = Repository.anchors[target] else { continue }
            let isThere = headings.contains(anchor)
            #expect(isThere, "\(path): \(words): \(target) has no such heading")
        }
    }

    @Test("Each path in code marks that starts with a folder of the repository exists", arguments: paths)
    func namedPaths(_ path: String) throws {
        let page = try #require(Repository.page(path))
        for span in page.codeSpans {
            guard let named = span.wholeMatch(of: /(?:Sources|Tests|deploy|docs|config)\/[\w.+\/-]+/),
                !span.contains("NAME")
            else { continue }
            #expect(Repository.exists(String(named.0)), "\(path): there is no \(span)")
        }
    }

    @Test("Each source file that a page names without its folder exists", arguments: paths)
    func namedFiles(_ path: String) throws {
        for span in try #require(Repository.page(path)).codeSpans
        where span.wholeMatch(of: /[\w+]+\.swift/) != nil {
            // A word in capitals is a placeholder.
            let isThere = Repository.sourceNames.contains(span) || span.prefixMatch(of: /[A-Z]{3}/) != nil
            #expect(isThere, "\(path): there is no \(span)")
        }
    }

    @Test("Each page is reachable by links from README.md")
    func orphans() {
        var reached: Set<String> = ["README.md"]
        var next = ["README.md"]
        while let page = next.popLast().flatMap(Repository.page) {
            for link in page.links where !link.isExternal {
                guard let target = page.target(of: link), Repository.page(target) != nil,
                    reached.insert(target).inserted
                else { continue }
                next.append(target)
            }
        }
        for path in Self.paths { #expect(reached.contains(path), "no page links to \(path)") }
    }

    @Test("README.md has at most 8 kB")
    func size() throws {
        #expect(try #require(Repository.text("README.md")).utf8.count <= 8192)
    }

    @Test("Prose fits a terminal of 80 columns", arguments: paths)
    func width(_ path: String) throws {
        // Generated pages, and pages of measurements.
        let others = ["docs/reference/", "docs/measurements/", "docs/protocols/", "Tests/"]
        guard !others.contains(where: path.hasPrefix) else { return }
        for line in try #require(Repository.page(path)).prose {
            // A table row is one line, and a long word cannot be wrapped.
            guard !line.text.drop(while: \.isWhitespace).hasPrefix("|"), line.text.contains(" ") else {
                continue
            }
            let text = line.text.replacing(/\]\([^)]*\)/, with: "]")
            #expect(text.count <= 80, "\(path):\(line.number) has \(text.count) columns")
        }
    }

    @Test("The package installs every page that its pages link to")
    func package() throws {
        let script = try #require(Repository.text("deploy/package"))
        let words = Set(script.split { $0 == " " || $0 == "\n" }.map { String($0) })
        #expect(script.contains("copy docs \"$root/usr/share/doc/tactile-bridge/docs\""))
        for page in Repository.pages where !page.path.hasPrefix("Tests/") {
            for link in page.links where !link.isExternal {
                guard let target = page.target(of: link), !target.contains("/") else { continue }
                #expect(
                    words.contains(target), "\(page.path) links to \(target), which deploy/package leaves out"
                )
            }
        }
        let unit = try #require(Repository.text("deploy/systemd/tactile-bridge.service"))
        let documents = unit.matches(of: /file:\/usr\/share\/doc\/tactile-bridge\/(\S+)/).map { String($0.1) }
        #expect(!documents.isEmpty)
        for path in documents { #expect(Repository.exists(path), "Documentation= names \(path)") }
    }

    @Test(
        "The anchor of a heading equals GitHub's",
        arguments: [
            ("# Who may do what", "who-may-do-what"), ("## `a` and [b](c.md)", "a-and-b"),
            ("### Where a stop is decided?", "where-a-stop-is-decided"), ("# A, b: c_d", "a-b-c_d"),
        ])
    func anchors(_ heading: String, _ anchor: String) {
        #expect(Page(path: "a.md", text: heading).anchors == [anchor])
    }

    @Test("A link is found over two lines and with code in it, but not in a block")
    func linkSyntax() {
        let page = Page(
            path: "docs/a.md",
            text: "see [the\n`x` page](../b.md#c), [d](e.md)\n```\n[f](g.md)\n```\n[h]: i.md\n")
        #expect(page.links.map(\.path) == ["../b.md", "e.md", "i.md"])
        #expect(page.links.first?.anchor == "c")
        #expect(page.links.map(page.target) == ["b.md", "docs/e.md", "docs/i.md"])
        #expect(page.target(of: .init(path: "../../x.md", anchor: nil, isExternal: false)) == nil)
    }
}
