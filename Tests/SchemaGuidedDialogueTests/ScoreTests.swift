import IntentModel
import Testing

@testable import sgd_replay

@Suite("The score of a replay") struct ScoreTests {
    /// The score of a dialogue in which each letter stands for a call.
    private func score(
        _ expected: String, _ made: String, tally: RecordedPerson.Tally = .init(), surprises: [String] = []
    ) -> DialogueScore {
        func calls(_ letters: String) -> [ServiceCall] { letters.map { Boats.call("FindBoat harbour=\($0)") } }
        return DialogueScore(
            dialogue: "\(expected)-\(made)", expected: calls(expected), made: calls(made), tally: tally,
            surprises: surprises)
    }

    @Test(arguments: [
        ("", "", 0), ("ab", "", 0), ("", "ab", 0), ("abc", "abc", 3), ("abc", "ac", 2), ("ac", "abc", 2),
        ("ab", "ba", 1), ("aab", "aba", 2), ("abcb", "bcab", 3), ("aa", "a", 1), ("a", "aa", 1), ("abc", "xyz", 0),
    ])
    func `counts the calls that are the same in the same order`(_ expected: String, _ made: String, _ count: Int) {
        #expect(score(expected, made).identical == count)
        #expect(score(expected, made).isPerfect == (expected == made))
    }

    @Test func `treats a call with another method or parameter as a different call`() {
        let call = Boats.call("FindBoat harbour=Veere")
        for other in ["HireBoat harbour=Veere", "FindBoat harbour=Goes", "FindBoat harbour=Veere hull=wood"] {
            let score = DialogueScore(
                dialogue: "", expected: [call], made: [Boats.call(other)], tally: .init(), surprises: [])
            #expect(score.identical == 0)
        }
    }

    private var report: ReplayReport {
        ReplayReport(
            scores: [
                score("ab", "ab", tally: .init(prompts: 3, needless: 0, choices: 1)),
                score(
                    "abc", "ac", tally: .init(prompts: 4, needless: 2, choices: 0), surprises: ["rejected: come back"]),
            ], duration: .milliseconds(2_500), gaps: 1, copies: 2)
    }

    @Test func `is written as JSON`() {
        #expect(
            "\(report.json)" == """
                {"dialogues":2,"perfect":1,"calls":5,"identical":4,"made":4,"prompts":7,"needless":2,"choices":1,"gaps":1,"copies":2,\
                "seconds":2.5,"turnsToCompletion":1.75,"dialoguesPerSecond":0.8}
                """)
    }

    @Test func `of no dialogues is 0, and contains only numbers that JSON has`() throws {
        let json = ReplayReport(scores: [], duration: .zero, gaps: 0, copies: 0).json.view
        #expect(
            json["calls"]?.int == 0 && json["turnsToCompletion"]?.double == 0 && json["dialoguesPerSecond"]?.double == 0
        )
    }

    @Test func `lists each differing dialogue with its calls and surprises`() {
        #expect(
            report.disagreements(5) == """
                1 of 2 dialogues differ from their recording. The first:

                  abc-ac
                    = FindBoat harbour=a
                    - FindBoat harbour=b
                    + FindBoat harbour=c
                    - FindBoat harbour=c
                    + nothing
                    ! rejected: come back
                """)
        #expect(ReplayReport(scores: [score("a", "a")], duration: .zero, gaps: 0, copies: 0).disagreements(5).isEmpty)
    }
}
