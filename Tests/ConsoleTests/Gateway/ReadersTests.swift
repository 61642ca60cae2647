import Testing

@testable import PersonGateway

@Suite("Readers of events")
struct ReadersTests {
    @Test("each gets a sign of life once in fifteen seconds, and each second brings it to a fifteenth of them")
    func pulses() {
        var readers = Readers()
        for number in 0..<300 { _ = readers.add(of: number.isMultiple(of: 3) ? nil : "session-\(number % 7)") }
        #expect(readers.count == 300)
        for _ in 0..<3 {
            let turns = (0..<Readers.turns).map { _ in readers.advancePulse().map(ObjectIdentifier.init) }
            #expect(turns.allSatisfy { $0.count == 20 })
            #expect(Set(turns.joined()).count == 300)
        }
    }
}
