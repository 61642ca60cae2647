import Testing

@Suite("What commands write to a terminal")
struct TerminalTests {
    @Test("no command writes to the terminal without escaping what could turn the text around it")
    func terminal() throws {
        let repository = try Repository.shared.get()
        let files = repository.paths.filter { $0.hasPrefix("Sources/Programs/intents/") && $0.hasSuffix(".swift") }
        #expect(files.contains("Sources/Programs/intents/Operator/TerminalOutput.swift"))
        for file in files where file != "Sources/Programs/intents/Operator/TerminalOutput.swift" {
            #expect(!(try repository.text(of: file)).contains("Swift.print("), "\(file)")
        }
    }
}
