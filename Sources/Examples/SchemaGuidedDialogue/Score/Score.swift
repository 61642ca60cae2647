/// How the calls of a dialogue that reached the services compare with those that were recorded.
struct DialogueScore: Sendable {
    var dialogue: String
    var expected: [ServiceCall]
    var made: [ServiceCall]
    var tally: RecordedPerson.Tally
    var surprises: [String]
    /// What was said, if it did not go as it was recorded.
    var transcript: [String] = []

    /// How many calls are the same, with the same parameters and in the same order: the longest common subsequence of the two.
    var identical: Int {
        var lengths = Array(repeating: 0, count: expected.count + 1)
        for call in made {
            var diagonal = 0
            for index in expected.indices {
                let above = lengths[index + 1]
                lengths[index + 1] = call == expected[index] ? diagonal + 1 : max(above, lengths[index])
                diagonal = above
            }
        }
        return lengths[expected.count]
    }

    /// The same calls, and nothing that nobody expected.
    var isAsRecorded: Bool { isPerfect && surprises.isEmpty }

    var isPerfect: Bool { made == expected }
}
