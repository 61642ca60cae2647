import IntentModel
import SampleDomains
import Testing

@Suite("The request file")
struct RequestFileTests {
    @Test("every line is a request with answers and its own session")
    func lines() throws {
        let people = try RideRequests.all.map { try #require(ScriptedPerson(line: $0), "\($0)") }
        #expect(people.count >= 300)
        #expect(Set(people.map(\.session)).count == people.count)
    }

    @Test("its requests cover every kind of turn and ending")
    func coverage() async throws {
        let registry = try rides()
        var ends: [String: Int] = [:]
        var steps: [String: Int] = [:]
        for line in RideRequests.all {
            var person = try #require(ScriptedPerson(line: line))
            await person.run(with: registry)
            ends[person.end, default: 0] += 1
            for step in person.trace { steps[step, default: 0] += 1 }
            #expect(
                !person.end.isEmpty && !["confirm failed", "handle failed", "asked too often"].contains(person.end),
                "\(line): \(person.trace)")
        }
        print(ends.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
        let expected = [
            "pickup:success", "pickup:notRequired", "dropOff:needsValue", "pickup:disambiguation",
            "dropOff:disambiguation",
            "dropOff:confirmationRequired", "dropOff:unsupported(outsideServiceArea)",
            "pickup:unsupported(outsideServiceArea)",
            "dropOff:unsupported(unknownPlace)", "dropOff:unsupported(sameAsPickup)",
            "partySize:unsupported(aboveMaximum)",
            "partySize:unsupported(belowMinimum)", "partySize:unsupported(invalidValue)", "ride:disambiguation",
            "ride:unsupported(partyTooLarge)", "scheduledTime:unsupported(invalidValue)", "payment:disambiguation",
            "confirm:ready",
            "confirmIntent", "handle:progress", "handle:success", "handle:handleInApp",
        ]
        #expect(expected.filter { steps[$0] == nil } == [])
        let ways = [
            "success", "cancelled", "failure", "continueInApp", "failureRequiringAppLaunchMustVerifyCredentials",
            "failureRequiringAppLaunchNoServiceInArea", "failureRequiringAppLaunchServiceTemporarilyUnavailable",
            "failureRequiringAppLaunchPreviousRideNeedsCompletion", "failureRequiringAppLaunchRideScheduledTooFar",
            "invalid",
            "unsupported",
        ]
        #expect(Set(ends.keys) == Set(ways))
        #expect(ends["success", default: 0] > RideRequests.all.count / 2)
    }
}
