import Conversation
import IntentModel
import Testing

@Suite("Lists are resolved element by element") struct ListElementTests {
    private static let dialogues: Dialogues = [
        "the answer replaces the element; the others stay unchanged": [
            .request(): "resolve", .resolved(friend(1, johns)): "prompt choice friends[1]",
            .known("friends"): #"given ["Mia","Jon","Ali"] [resolved given resolved]"#,
            .answer(.accept, option: "2"): "resolve",
            .known("friends"): #"given ["Mia","jon-2","Ali"] [resolved chosen resolved]"#,
            .resolver(["friends": .success(.array(["Mia", "jon-2", "Ali"]))]): "confirm",
            .known("friends"): #"resolved ["Mia","jon-2","Ali"] [resolved chosen resolved]"#,
            .the(\.item?.parameters.first?.elements): "resolved, chosen, resolved",
        ],
        "accepting an element confirms it; answering with another value replaces it": [
            .request(): "resolve",
            .resolved(friend(1, .confirmationRequired("jon-1", dialog: nil))): "prompt confirmValue friends[1]",
            .answer(.accept): "resolve",
            .known("friends"): #"given ["Mia","jon-1","Ali"] [resolved confirmed resolved]"#,
            .resolved(friend(2, .confirmationRequired("ali-1", dialog: nil), ["Mia", "jon-1", "Ali"])): "…",
            .answer(.accept, "Ben"): "resolve",
            .known("friends"): #"given ["Mia","jon-1","Ben"] [resolved confirmed given]"#,
        ],
        "a missing or unusable element is replaced by the person's answer": [
            .request(): "resolve",
            .either(.resolved(friend(1, .missing)), .resolved(friend(1, .notThere))): "prompt value friends[1]",
            .answer(.accept, "Ben"): "resolve",
            .known("friends"): #"given ["Mia","Ben","Ali"] [resolved given resolved]"#,
        ],
        "declining a choice or a value drops the element while others remain": [
            .request(): "resolve",
            .either(.resolved(friend(1, johns)), .resolved(friend(1, .missing)), .resolved(friend(1, .notThere))): "…",
            .answer(.decline): "resolve", .known("friends"): #"given ["Mia","Ali"] [resolved resolved]"#,
        ],
        "declining an element's value asks for another one, which replaces it": [
            .request(): "resolve", .resolved(friend(1, .confirmationRequired("jon-1", dialog: nil))): "…",
            .answer(.decline): "prompt value friends[1]", .the(\.prompt?.dialog): "Friends: what else?",
            .answer(.accept, "Ben"): "resolve",
            .known("friends"): #"given ["Mia","Ben","Ali"] [resolved given resolved]"#,
        ],
        "the last element can't be dropped: it is treated like a parameter that is not a list": [
            .request(): "resolve", .resolved(friend(0, johns, ["Jon"])): "…", .answer(.decline): "resolve",
            .known("friends"): "given -", .resolved(friend(0, .missing, ["Jon"])): "…",
            .answer(.decline): "completed r: cancelled cancelled",
        ],
        "the person is asked about one element at a time, in list order; one outside the list is an error": [
            .request(): "resolve", .resolved(friend(3, johns)): "completed r: failure failure",
            .or(.resolved(friend(1, johns, open: [0, 1]), friend(0, .notThere, open: [0, 1]))):
                "prompt value friends[0]",
            .answer(.accept, "Ben"): "resolve",
            .resolved(friend(1, johns, ["Ben", "Jon", "Ali"])): "prompt choice friends[1]",
        ],
        "a chosen element is not asked about again; a correction replaces the whole list and its elements' state": [
            .request(): "resolve", .resolved(friend(1, johns)): "…", .answer(.accept, option: "2"): "resolve",
            .correct("friends", "Ben"): "resolve", .known("friends"): "given Ben",
            .or(.resolved(friend(1, johns, ["Mia", "jon-2", "Ali"]))): "confirm",
            .known("friends"): #"resolved ["Mia","jon-2","Ali"] [resolved chosen resolved]"#,
        ],
        "each element has its own ask limit": [
            .policy { $0.maximumAsks = 2 }: [], .request(): "resolve",
            .resolved(friend(0, .notThere)): "prompt value friends[0]", .answer(.accept, "Moon"): "resolve",
            .resolved(friend(1, .notThere)): "prompt value friends[1]", .answer(.accept, "Moon"): "resolve",
            .resolved(friend(0, .notThere)): "prompt value friends[0]", .answer(.accept, "Moon"): "resolve",
            .resolved(friend(1, .notThere)): "prompt value friends[1]", .answer(.accept, "Moon"): "resolve",
            .resolved(friend(1, .notThere)): "completed r: failure failure",
            .the(\.completion?.error?.field): "parameters.friends[1]",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

private let johns = ParameterResolution.disambiguation(
    [
        ParameterOption(id: "1", title: "Jon One", value: "jon-1"),
        ParameterOption(id: "2", title: "Jon Two", value: "jon-2"),
    ], dialog: nil)

/// A resolution of one of the friends. The open elements are as the person gave them.
private func friend(
    _ index: Int, _ resolution: ParameterResolution, _ names: [JSON] = ["Mia", "Jon", "Ali"], open: [Int]? = nil
) -> ResolvedParameter {
    let origins = names.indices.map { (open ?? [index]).contains($0) ? ParameterState.Origin.given : .resolved }
    return ResolvedParameter(
        name: "friends", title: "Friends", resolution: resolution,
        element: ListElement(index: index, list: names, origins: origins))
}
