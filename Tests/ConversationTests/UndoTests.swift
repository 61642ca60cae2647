import Conversation
import IntentModel
import Testing

@Suite("A request that has succeeded can be taken back, for a time") struct UndoTests {
    private static let dialogues: Dialogues = [
        "by another request, with the values that the handler gave, which is resolved and confirmed as any other is": [
            .succeeds(): "…", .the(\.completion?.undo?.intent): "Unbook", .undo(): "resolve",
            .the(\.work?.intent): "Unbook", .known("ride"): "given R-7", .resolver(): "confirm",
            .confirmer(asking: .plain): "prompt confirmIntent", .answer(.accept): "handle",
            .handler(): "completed u: success success", .undo("v", "r"): "rejected unexpected request",
        ],
        "again, if the first time came to nothing, but not while it is being taken back, nor by a repeated event": [
            .succeeds(): "…", .undo(): "resolve", .undo(): "ignored duplicateRequest",
            .undo("v"): "rejected busy request",
            .cancel("u"): ["cancel resolve", "completed u: cancelled cancelled"], .undo("w"): "resolve",
        ],
        "until its time has passed": [
            .succeeds(for: 60): "…", .the(\.undoLasts): "60.0", .passes(60): [], .undo(): "rejected unexpected request",
        ],
        "not longer than an idle session is remembered": [.succeeds(for: 86_400): "…", .the(\.undoLasts): "1800.0"],
        "the last one that can be, or the one that is named": [
            .succeeds("r1", "1"): "…", .succeeds("r2", "2"): "…", .at(.handling, id: "r3"): "handle", .handler(): "…",
            .undo("u", "r1"): "resolve", .known("ride"): "given 1", .cancel("u"): "…", .undo("v"): "resolve",
            .known("ride"): "given 2", .undo("w", "r3"): "rejected unexpected request",
        ],
        "a session has at most eight that can be, and forgets the oldest": [
            .succeeds("1"): "…", .succeeds("2"): "…", .succeeds("3"): "…", .succeeds("4"): "…", .succeeds("5"): "…",
            .succeeds("6"): "…", .succeeds("7"): "…", .succeeds("8"): "…", .succeeds("9"): "…",
            .the(\.undoable): "2, 3, 4, 5, 6, 7, 8, 9",
        ],
        "a failure and a cancelled request offer nothing": [
            .at(.handling): "handle",
            .handler(.failure) { $0.undo = UndoOffer(OpenedIntent(intent: "Unbook")) }: "completed r: failure failure",
            .the(\.completion?.undo): "none", .the(\.undoable): "none",
        ],
        "a list that was done in part has succeeded, with a result for each element": [
            .at(.handling): "handle",
            .handler(.partialSuccess) { $0.results = parts }: "completed r: success partialSuccess",
            .the(\.completion?.results): "\(words(parts))",
        ],
    ]

    private static let parts = [ElementResult(title: "Mia"), ElementResult(title: "Noa", code: "failureInboxFull")]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    /// Brings a request to a success that can be undone.
    fileprivate static func succeeds(
        _ id: Identifier = "r", _ ride: JSON = "R-7", for seconds: Int? = nil,
        at line: Line = #_sourceLocation
    ) -> Step {
        let opened = OpenedIntent(intent: "Unbook", parameters: ["ride": ride])
        let offer = seconds.map { UndoOffer(opened, validFor: .seconds($0)) } ?? UndoOffer(opened)
        return .steps(.at(.handling, id: id), .handler { $0.undo = offer }, at: line)
    }

    fileprivate static func undo(
        _ id: Identifier = "u", _ request: Identifier? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        .event(.undoRequested(UndoRequest(id: id, request: request)), at: line)
    }
}

extension Talk {
    fileprivate var undoLasts: Double? { seconds(until: completion?.undo?.expires) }
    fileprivate var undoable: [Identifier] { session.undoable.map(\.request.id) }
}
