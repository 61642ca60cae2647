import Conversation
import IntentModel
import Testing

@Suite("Lists are resolved element by element")
struct ListElementTests {
    let talk = Talk()

    /// A resolution of one of the three friends.
    private func friend(
        _ index: Int, _ resolution: ParameterResolution, _ names: [String] = ["Mia", "Jon", "Ali"],
        _ origins: [ParameterState.Origin] = [.resolved, .given, .resolved]
    ) -> ResolvedParameter {
        ResolvedParameter(
            name: "friends", title: "Friends", resolution: resolution,
            element: ListElement(index: index, list: names.map { .string($0) }, origins: origins))
    }

    private let johns = ParameterResolution.disambiguation(
        [
            ParameterOption(id: "1", title: "Jon One", value: .string("jon-1")),
            ParameterOption(id: "2", title: "Jon Two", value: .string("jon-2")),
        ], dialog: nil)

    private func list(_ names: String...) -> JSON { .array(names.map { .string($0) }) }

    @Test("the answer replaces the element; the others stay unchanged")
    func choice() {
        talk.request()
        #expect(talk.resolver([friend(1, johns)]) == ["prompt choice friends[1]"])
        #expect(talk.known("friends") == #"given ["Mia","Jon","Ali"] [resolved given resolved]"#)
        #expect(talk.answer(.accept, option: "2") == ["resolve"])
        #expect(talk.known("friends") == #"given ["Mia","jon-2","Ali"] [resolved chosen resolved]"#)
        #expect(talk.resolver(["friends": .success(list("Mia", "jon-2", "Ali"))]) == ["confirm"])
        #expect(talk.known("friends") == #"resolved ["Mia","jon-2","Ali"] [resolved chosen resolved]"#)
        #expect(talk.work?.item?.parameters.first?.elements == [.resolved, .chosen, .resolved])
    }

    @Test("accepting an element confirms it; answering with another value replaces it")
    func confirmValue() {
        talk.request()
        #expect(
            talk.resolver([friend(1, .confirmationRequired(.string("jon-1"), dialog: nil))]) == [
                "prompt confirmValue friends[1]"
            ])
        #expect(talk.answer(.accept) == ["resolve"])
        #expect(talk.known("friends") == #"given ["Mia","jon-1","Ali"] [resolved confirmed resolved]"#)
        talk.resolver([
            friend(
                2, .confirmationRequired(.string("ali-1"), dialog: nil), ["Mia", "jon-1", "Ali"],
                [.resolved, .resolved, .given])
        ])
        talk.answer(.accept, "Ben")
        #expect(talk.known("friends") == #"given ["Mia","jon-1","Ben"] [resolved confirmed given]"#)
    }

    @Test(
        "a missing or unusable element is replaced by the person's answer",
        arguments: [Station.missing, Station.notThere])
    func value(_ resolution: ParameterResolution) {
        talk.request()
        #expect(talk.resolver([friend(1, resolution)]) == ["prompt value friends[1]"])
        #expect(talk.answer(.accept, "Ben") == ["resolve"])
        #expect(talk.known("friends") == #"given ["Mia","Ben","Ali"] [resolved given resolved]"#)
    }

    @Test("declining an element's value asks for another one, which replaces it")
    func declineConfirmation() {
        talk.request()
        talk.resolver([friend(1, .confirmationRequired(.string("jon-1"), dialog: nil))])
        #expect(talk.answer(.decline) == ["prompt value friends[1]"])
        #expect(talk.prompt?.dialog == "Friends: what else?")
        #expect(talk.answer(.accept, "Ben") == ["resolve"])
        #expect(talk.known("friends") == #"given ["Mia","Ben","Ali"] [resolved given resolved]"#)
    }

    @Test("declining a choice or a value drops the element while others remain")
    func drop() {
        for resolution in [johns, Station.missing, Station.notThere] {
            let talk = Talk()
            talk.request()
            talk.resolver([friend(1, resolution)])
            #expect(talk.answer(.decline) == ["resolve"])
            #expect(talk.known("friends") == #"given ["Mia","Ali"] [resolved resolved]"#)
        }
    }

    @Test("the last element can't be dropped: it is treated like a parameter that is not a list")
    func dropLast() {
        talk.request()
        talk.resolver([friend(0, johns, ["Jon"], [.given])])
        #expect(talk.answer(.decline) == ["resolve"])
        #expect(talk.known("friends") == "given -")
        talk.resolver([friend(0, Station.missing, ["Jon"], [.given])])
        #expect(talk.answer(.decline) == ["completed r: cancelled cancelled"])
    }

    @Test("the person is asked about one element at a time, in list order")
    func order() {
        talk.request()
        let open: [ParameterState.Origin] = [.given, .given, .resolved]
        #expect(
            talk.resolver([friend(1, johns, origins: open), friend(0, Station.notThere, origins: open)]) == [
                "prompt value friends[0]"
            ])
        talk.answer(.accept, "Ben")
        #expect(
            talk.resolver([friend(1, johns, ["Ben", "Jon", "Ali"], [.resolved, .given, .resolved])]) == [
                "prompt choice friends[1]"
            ])
    }

    @Test("an element that the person chose or confirmed is not asked about again")
    func asked() {
        talk.request()
        talk.resolver([friend(1, johns)])
        talk.answer(.accept, option: "2")
        #expect(talk.resolver([friend(1, johns, ["Mia", "jon-2", "Ali"])]) == ["confirm"])
        #expect(talk.known("friends") == #"resolved ["Mia","jon-2","Ali"] [resolved chosen resolved]"#)
    }

    @Test("each element has its own ask limit")
    func askLimit() {
        talk.policy.maximumAsks = 2
        talk.request()
        for index in [0, 1, 0, 1] {
            #expect(talk.resolver([friend(index, Station.notThere)]) == ["prompt value friends[\(index)]"])
            talk.answer(.accept, "Moon")
        }
        #expect(talk.resolver([friend(1, Station.notThere)]) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.field == "parameters.friends[1]")
    }

    @Test("a correction replaces the whole list and the state of its elements")
    func corrected() {
        talk.request()
        talk.resolver([friend(1, johns)])
        talk.answer(.accept, option: "2")
        talk.correct("friends", "Ben")
        #expect(talk.known("friends") == "given Ben")
    }

    @Test("a resolution of an element outside the list is the resolver's error")
    func outside() {
        talk.request()
        #expect(talk.resolver([friend(3, johns)]) == ["completed r: failure failure"])
    }

    private func friend(_ index: Int, _ resolution: ParameterResolution, origins: [ParameterState.Origin])
        -> ResolvedParameter
    {
        friend(index, resolution, ["Mia", "Jon", "Ali"], origins)
    }
}
