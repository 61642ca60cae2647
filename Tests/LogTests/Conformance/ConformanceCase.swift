public import Testing

/// One requirement that every log must meet.
///
/// A test target runs all cases against its log, one after the other:
///
/// ```swift
/// @Suite("The conformance suite on our log", .serialized)
/// struct OurLogConformance {
///     @Test("conformance", arguments: ConformanceCase.all)
///     func conforms(_ requirement: ConformanceCase) async throws { try await requirement.run(on: ourLog) }
/// }
/// ```
public struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The requirement, as a sentence.
    public let requirement: String
    /// The capabilities of the log that this case needs.
    public let needs: Set<LogCapability>
    let body: @Sendable (LogUnderTest) async throws -> Void

    init(
        _ requirement: String, needs: Set<LogCapability> = [],
        body: @escaping @Sendable (LogUnderTest) async throws -> Void
    ) {
        self.requirement = requirement
        self.needs = needs
        self.body = body
    }

    public var testDescription: String { requirement }

    /// All cases.
    public static let all: [ConformanceCase] =
        writing + gaps + contents + reading + unreadable + groups + rebalances + commits + topics + lifecycle

    /// Tests the requirement on this log. If the log lacks a needed capability, the test is cancelled, and shown as
    /// skipped with the reason.
    public func run(on log: LogUnderTest) async throws {
        let lacking = needs.intersection(log.missing).map(\.rawValue).sorted()
        guard lacking.isEmpty else {
            log.report.add(.skipped, requirement, on: log)
            try Test.cancel("\(log.name) can't do \(lacking.joined(separator: ", ")): skipped '\(requirement)'")
        }
        do {
            try await body(log)
            log.report.add(.passed, requirement, on: log)
        } catch {
            log.report.add(.failed, requirement, on: log)
            throw error
        }
    }
}
