/// The location of the project's files.
enum Repository {
    /// The path of a file, from the project's root.
    static func path(_ name: String, from file: String = #filePath) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/"
            + name
    }
}
