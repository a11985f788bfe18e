import JSON

extension Configuration {
    /// The current settings for programs: one JSON object in one line.
    ///
    /// `{"valid":true,"file","parts":[path],"settings":[{"path","value","origin"}],"hidden":[path],"warnings":[text],
    /// "ignored":[text],"left_out":[text],"problems":[]}`
    ///
    /// `file` is null if no file was read. `parts` are the files of `conf.d`. A `value` is null if the setting is not
    /// set, or if its path is in `hidden`. `ignored` lists entries in the folders that are not read. `left_out` lists
    /// device, pattern and gesture files that are not used, with reasons.
    package var jsonLine: String {
        let settings = entries.map { entry in
            JSON.Value.object([
                "path": .string(entry.path), "value": entry.json, "origin": entry.origin.json,
            ])
        }
        let hidden = entries.flatMap { entry in
            entry.hidden.map { $0.isEmpty ? entry.path : "\(entry.path).\($0)" }
        }
        let file: JSON.Value = if let path = self.file { .string(path) } else { .null }
        return JSON.Value.object([
            "valid": true, "file": file, "parts": .array(parts.map { .string($0) }),
            "settings": .array(settings),
            "hidden": .array(hidden.map { .string($0) }),
            "warnings": .array(warnings.map { .string($0) }),
            "ignored": .array(ignored.map { .string($0) }),
            "left_out": .array(leftOut.map { .string($0) }),
            "problems": [],
        ]).description
    }
}

extension SettingsError {
    /// The problems for programs, in one line: `{"valid":false,"problems":[{"place","path","message"}]}`.
    package var jsonLine: String {
        let problems = problems.map { problem in
            JSON.Value.object([
                "place": .string(problem.place), "path": .string(problem.path),
                "message": .string(problem.message),
            ])
        }
        return JSON.Value.object(["valid": false, "problems": .array(problems)]).description
    }
}

extension Origin {
    /// `{"kind":"default|derived|file|content|environment|option"}`, with the `name` of the source and, for a file, the
    /// `line`.
    fileprivate var json: JSON.Value {
        switch self {
        case .byDefault: ["kind": "default"]
        case .derived(let source): ["kind": "derived", "name": .string(source)]
        case .file(let path, let line):
            ["kind": "file", "name": .string(path), "line": .integer(line)]
        case .content(let path): ["kind": "content", "name": .string(path)]
        case .environment(let variable): ["kind": "environment", "name": .string(variable)]
        case .option(let option): ["kind": "option", "name": .string(option)]
        }
    }
}
