/// The files of the page: their paths and media types.
package enum PageFiles {
    /// The largest file that is served, in bytes.
    package static let sizeLimit = 4 << 20

    /// Returns how long browsers may keep a file. A file whose name has a hash of the content never changes.
    package static func caching(_ name: String) -> String {
        let parts = name.split(separator: ".")
        guard parts.count == 2, let dash = parts[0].lastIndex(of: "-") else { return "no-cache" }
        let hash = parts[0][parts[0].index(after: dash)...]
        let isHash =
            hash.utf8.count == 8
            && hash.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        return isHash ? "public, max-age=31536000, immutable" : "no-cache"
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "webmanifest": "application/manifest+json", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    /// Returns the file of a request's path, relative to the page's folder, and its media type; nil for an invalid
    /// path.
    ///
    /// Allowed are letters, digits, `-`, `_` and `.`; no part may start with a dot.
    package static func file(_ path: String) -> (name: String, type: String)? {
        let name = path == "/" ? "index.html" : String(path.dropFirst())
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".")
                && part.utf8.allSatisfy { byte in
                    Character(UnicodeScalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
                        || "-_.".utf8.contains(byte)
                }
        }
        guard path.hasPrefix("/"), isSafe, let last = parts.last, let dot = last.lastIndex(of: ".") else {
            return nil
        }
        guard let type = types[String(last[last.index(after: dot)...])] else { return nil }
        return (name, type)
    }
}
