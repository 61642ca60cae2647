import Conversation
import IntentModel
import Testing

@Suite("A phase asks the person to sign in, and goes on once they have") struct SignInTests {
    private static let dialogues: Dialogues = [
        "any phase may ask, also resolve, and runs again with the answer": [
            .at(.resolving, .confirming, .handling, knowing: ["dropOff": "Airport"]): "…",
            .asks("signIn#1", .signIn(SignIn(url: "https://example.com"))): "prompt signIn",
            .the(\.prompt?.signIn?.url): "https://example.com", .the(\.prompt?.dialog): "Sign in to go on.",
            .answer(.accept, "4711"): "$phase", .the(\.answers): "signIn#1 accepted 4711",
            .known("dropOff"): "given Airport",
        ],
        "resolve may ask nothing else": [.request(): "resolve", .asks("q", .value): "completed r: failure failure"],
        "the answer to what an intent demands has to name a person, who is the request's principal from then on": [
            .request(): "resolve", .asks("authentication", .signIn(SignIn(requires: .person))): "prompt signIn",
            .answer(.accept): "rejected unauthorized authtype",
            .answer(.accept, from: Principal(.serviceAccount, "agent")): "rejected unauthorized authtype",
            .answer(.accept, from: .ann): "resolve", .the(\.item?.principal): "\(Principal.ann)",
            // The session had no owner, and is theirs.
            .the(\.session.owner): "\(Principal.ann)",
            .event(.cancelled(request: nil), from: Principal(.appUser, "bob")): "rejected unauthorized authid",
        ],
        "on the local device, if the intent demands that": [
            .request(): "resolve", .asks("authentication", .signIn(SignIn(requires: .localDevice))): "prompt signIn",
            .answer(.accept, from: .ann): "rejected unauthorized value",
            .answer(.accept, "localDevice", from: .ann): "resolve",
            .the(\.item?.attributes): "authentication localDevice",
        ],
        "a person who declines is not signed in, and the phase is told": [
            .request(): "resolve", .asks("authentication", .signIn(SignIn(requires: .person))): "prompt signIn",
            .answer(.decline): "resolve", .the(\.answers): "authentication declined", .the(\.item?.principal): "none",
        ],
        "other values that come with the answer are merged, and do not lose it": [
            .request(): "resolve", .asks("signIn#1", .signIn(SignIn())): "prompt signIn",
            .answer(.accept, changing: ["dropOff": "Leeds"]): "resolve", .the(\.answers): "signIn#1 accepted",
            .known("dropOff"): "given Leeds",
        ],
        "a code is text of at most 4 KiB": [
            .request(): "resolve", .asks("signIn#1", .signIn(SignIn())): "prompt signIn",
            .answer(.accept, .long(4_097)): "rejected invalid value",
            .answer(.accept, .number(7)): "rejected invalid value", .answer(.accept): "resolve",
        ],
        "there are ten minutes for it, or as long as the worker says": [
            .request(): "resolve", .asks("signIn#1", .signIn(SignIn())): "prompt signIn", .the(\.promptLasts): "600.0",
            .answer(.accept): "resolve", .asks("signIn#2", .signIn(SignIn(validFor: .seconds(1_800)))): "prompt signIn",
            .the(\.promptLasts): "1800.0", .timer(): "completed r: timedOut requestTimedOut",
        ],
        "the answer and what a resolver has recorded are there in each of its rounds, and not in confirm": [
            .request(): "resolve", .asks("signIn#1", .signIn(SignIn()), recorded: ["token": "t"]): "prompt signIn",
            .answer(.accept): "resolve", .worker(round, phase: .resolve): "prompt value dropOff",
            .answer(.accept, "Airport"): "resolve", .the(\.answers): "signIn#1 accepted",
            .the(\.item?.recorded): "fares 3, token t", .resolver(): "confirm", .the(\.answers): "none",
            .the(\.item?.recorded): "none",
            // A new round after confirm is a new resolving.
            .correct("dropOff", "Leeds"): "resolve", .the(\.answers): "none",
        ],
    ]

    private static let round = Outcome.Content.finished(
        .resolved(
            [ResolvedParameter(name: "dropOff", resolution: .missing)],
            recorded: ["token": "t", "fares": .number(3)]))

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }

    @Test(arguments: [
        "", "/sign-in", "javascript:alert(1)", "DATA:text/html,x", "file:///etc/passwd", "https://a b", "https:",
        "1http://x",
    ])
    func `a URL that is not absolute, or that would run where it is shown, breaks the rules`(_ url: String) {
        #expect(SignIn(url: url).violation?.field == "signIn.url")
    }

    @Test(arguments: ["https://example.com/a?state=1", "myapp:link"])
    func `an absolute URL breaks no rule`(_ url: String) { #expect(SignIn(url: url).violation == nil) }
}
