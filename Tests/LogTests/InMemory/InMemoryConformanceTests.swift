import RecordLog
import Testing

@Suite("The conformance suite on the in-memory log")
struct InMemoryConformanceTests {
    private static let underTest: LogUnderTest = {
        let log = InMemoryLog(queueLimit: 12_000, clock: { 1_700_000_000_000 })
        return LogUnderTest(
            log, name: "InMemoryLog", missing: [.waitingPoll], patience: .seconds(60), queueLimit: 12_000,
            compact: { log.compact($0) },
            appendUnreadable: { try log.appendUnreadable($1, to: $0) })
    }()

    @Test("conformance", arguments: ConformanceCase.all)
    func conforms(_ requirement: ConformanceCase) async throws {
        try await requirement.run(on: Self.underTest)
    }
}
