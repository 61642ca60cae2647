/// Compares the calls of a dialogue that reached the services with the recorded ones.
struct DialogueScore: Sendable {
    var dialogue: String
    var expected: [ServiceCall]
    var made: [ServiceCall]
    var tally: RecordedPerson.Tally
    var surprises: [String]
    /// The transcript of the dialogue, if the dialogue differs from its recording.
    var transcript: [String] = []

    /// The number of calls with the same method and parameters in the same order: the length of the longest common
    /// subsequence.
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

    /// `true` if the calls are the same and nothing unexpected happened.
    var isAsRecorded: Bool { isPerfect && surprises.isEmpty }

    var isPerfect: Bool { made == expected }
}
