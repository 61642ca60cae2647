import Testing

@Suite("What callers of the console see")
struct ViewerTests {
    /// The files that decide what a caller sees.
    private static let deciding: Set<String> = [
        "Sources/Console/Console/Caller.swift", "Sources/Console/MCPServer/Calls/Viewer+Agent.swift",
    ]

    @Test("no route makes a viewer of its own: one place decides for people, and one for agents")
    func viewers() throws {
        let repository = try Repository.shared.get()
        let modules = [
            "Sources/Console/Console/", "Sources/Console/MCPServer/",
        ]
        let files = repository.paths.filter { path in
            path.hasSuffix(".swift") && modules.contains { path.hasPrefix($0) }
        }
        #expect(files.count > 20 && Self.deciding.isSubset(of: files))
        for file in files where !Self.deciding.contains(file) {
            let text = try repository.text(of: file)
            #expect(!text.contains("Viewer(") && !text.contains(".unrestricted"), "\(file)")
        }
    }
}
