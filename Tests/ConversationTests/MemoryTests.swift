import Conversation
import IntentModel
import Testing

@Suite("What a session remembers") struct MemoryTests {
    private static let dialogues: Dialogues = [
        "a value is remembered when all parameters are resolved, and sent to the workers of later requests": [
            .request(): "resolve", .the(\.item?.memory): "none",
            .resolved(city("Leeds"), ResolvedParameter(name: "ride", resolution: .missing)): "prompt value ride",
            .the(\.session.memory.values): "none", .answer(.accept, "Pool"): "resolve",
            .resolved(city("Leeds")): "confirm", .the(\.item?.memory): "city Leeds", .confirmer(): "handle",
            .handler(): "…", .request("r2"): "resolve", .the(\.item?.memory): "city Leeds",
        ],
        "that the person wants none in particular is remembered too, hides the value before it, and shows as none": [
            .book("r1", city("Leeds")): "…", .request("r2", ["dropOff": "no preference"]): "resolve",
            .resolved(noPreference): "confirm", .the(\.item?.memory): "city null",
            .known("dropOff"): "notRequired -", .confirmer(): "handle", .handler(): "…",
            .the(\.completion?.parameters.first?.value): "none", .request("r3", ["dropOff": "York"]): "resolve",
            .resolved(city("York")): "confirm", .the(\.item?.memory): "city York",
        ],
        "an answer to a phase's question is remembered like the parameter": [
            .request(): "resolve", .resolved(city("Leeds")): "confirm",
            .asks("q", about: "dropOff"): "prompt value dropOff", .answer(.accept, "York"): "confirm",
            .the(\.item?.memory): "city York",
        ],
        "the latest value replaces the earlier one": [
            .book("r1", city("Leeds")): "…", .book("r2", city("York")): "…", .the(\.session.memory.values): "city York",
        ],
        "secrets, and parameters that are notRequired, are not remembered": [
            .book("r1", city("1234", isSecret: true)): "…", .request("r2", ["dropOff": "Leeds"]): "resolve",
            .resolved(ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")): "confirm",
            .book("r3", city("Leeds", key: nil)): "…", .the(\.session.memory.values): "none",
        ],
        "the oldest value is dropped when there is no room": [
            .policy { $0.maximumMemoryKeys = 2 }: [], .book("r1", city("Leeds", key: "a")): "…",
            .book("r2", city("Leeds", key: "b")): "…", .book("r3", city("Leeds", key: "a")): "…",
            .book("r4", city("Leeds", key: "c")): "…", .the(\.keys): "a, c",
            .policy { $0.maximumMemoryBytes = 20 }: [], .book("long", city(.long(10), key: "d")): "…",
            .the(\.keys): "d", .book("longer", city(.long(30), key: "d")): "…", .the(\.keys): "none",
        ],
        "it is forgotten on request, by key or entirely, without a result, and repeating that changes nothing": [
            .book("ra", city("Leeds", key: "a")): "…", .book("rb", city("Leeds", key: "b")): "…",
            .book("rc", city("Leeds", key: "c")): "…", .event(.forgotten(Forgetting(keys: ["a", "x"]))): [],
            .the(\.keys): "b, c", .event(.forgotten(Forgetting(keys: ["a"]))): "ignored nothingToForget",
            .event(.forgotten(Forgetting(keys: nil))): [], .the(\.keys): "none",
            .event(.forgotten(Forgetting(keys: nil))): "ignored nothingToForget",
        ],
        "a secret stays secret for the whole request, and no default wording contains its value": [
            .request("r", ["dropOff": "1234"]): "resolve",
            .resolved(
                ResolvedParameter(
                    name: "dropOff", title: "PIN", resolution: .confirmationRequired("1234", dialog: nil),
                    isSecret: true)): "prompt confirmValue dropOff",
            .the(\.prompt?.isSecret): "true", .the(\.prompt?.dialog): "PIN: is it the one that is known?",
            .answer(.accept): "resolve", .the(\.item?.parameters.first?.isSecret): "true",
            .the(\.item?.parameters.first?.value): "1234", .resolver(["dropOff": .success("1234")]): "confirm",
            .confirmer(): "handle", .handler(): "…", .the(\.completion?.parameters.first?.isSecret): "true",
        ],
        "a value that the resolver has no parameter for is told no one: it may be a secret under a wrong name": [
            .request("r", ["dropOff": "Leeds", "pinn": "1234"]): "resolve", .resolver(["dropOff": .notThere]): "…",
            .correct("pni", "1234"): "resolve", .cancel(): "…", .the(\.shown): "dropOff, pinn hidden, pni hidden",
            .request("r2", ["dropOff": "Leeds", "pni": "1234"]): "resolve",
            .resolver(["dropOff": .success("Leeds"), "pni": .notRequired]): "confirm", .confirmer(): "handle",
            .handler(): "…", .the(\.shown): "dropOff, pni",
        ],
        "before a resolver has said what is secret, no result contains a value": [
            .at(.resolving, knowing: ["dropOff": "1234"]): "resolve", .request("next", ["dropOff": "1234"]): [],
            .cancel("next"): "completed next: cancelled cancelled", .the(\.shown): "dropOff hidden",
            .fails(.failure(.failureRequiringInAppAuthentication)): "…", .the(\.shown): "dropOff hidden",
            .the(\.session.handoffs.first?.interaction.parameters.first?.isSecret): "true",
            .request("r2", ["dropOff": "Leeds"]): "resolve", .resolver(["dropOff": .notThere]): "…",
            .cancel(): "…", .the(\.shown): "dropOff",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

private func city(_ value: JSON, key: String? = "city", isSecret: Bool = false) -> ResolvedParameter {
    ResolvedParameter(name: "dropOff", resolution: .success(value), isSecret: isSecret, memoryKey: key)
}

private let noPreference: ResolvedParameter = {
    var none = ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")
    none.isNone = true
    return none
}()

extension Step {
    /// Plays a request from beginning to end.
    fileprivate static func book(
        _ id: Identifier, _ parameter: ResolvedParameter, at line: Line = #_sourceLocation
    ) -> Step {
        .steps(.request(id), .resolved(parameter), .confirmer(), .handler(), at: line)
    }
}

extension Talk {
    fileprivate var keys: [String] { session.memory.entries.map(\.key) }
    /// The parameters of the last completion.
    fileprivate var shown: [String]? { completion?.parameters.map { $0.isSecret ? "\($0.name) hidden" : $0.name } }
}
