import IntentKit
import PipelineTestKit
import Testing

@Suite("A parameter without a Resolve is resolved by its declaration")
struct ResolutionByDeclarationTests {
    @Test("every parameter gets one entry with its title, in the order of declaration")
    func entries() async throws {
        let outcome = try await Teahouse().perform(.resolve, [.given("note", "no sugar")], locale: "nl-BE")
        guard case .resolved(let all, _, _, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(all.map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(all.map(\.title) == ["Leaf", "Potten", "Cup", "Guest", "Note"])
        #expect(all[4].resolution == .success(.string("no sugar")))
    }

    @Test("an optional parameter without a value is not required")
    func optional() async throws {
        #expect(try await Teahouse().resolve("note", []) == .notRequired)
        #expect(try await Teahouse().resolve("note", [ParameterState(name: "note", value: .null)]) == .notRequired)
    }

    @Test("a parameter without a value gets its default")
    func defaultValue() async throws {
        #expect(try await Teahouse().resolve("pots", []) == .success(.number(1)))
    }

    @Test("a person's words are converted to the type")
    func converted() async throws {
        #expect(try await Teahouse().resolve("pots", [.given("pots", "3")]) == .success(.number(3)))
        #expect(try await Teahouse().resolve("pots", [.given("pots", "three")]) == .success(.number(3)))
        #expect(try await Teahouse().resolve("pots", [.given("pots", json: "2.0")]) == .success(.number(2)))
        #expect(try await Teahouse().resolve("leaf", [.given("leaf", "Black Tea")]) == .success(.string("assam")))
    }

    @Test("unconvertible text is unsupported")
    func unconvertible() async throws {
        for value in [ParameterState.given("pots", "a few"), .given("pots", json: "2.5"), .given("pots", json: "1e99")]
        {
            guard case .unsupported("invalidValue", let dialog) = try await Teahouse().resolve("pots", [value]) else {
                Issue.record("\(value)")
                continue
            }
            #expect(dialog?.contains("a whole number") == true)
        }
    }

    @Test("a value outside the range is unsupported, and the dialog names the range")
    func range() async throws {
        let dialog = "Pots can be 1 to 4, not 5."
        #expect(
            try await Teahouse().resolve("pots", [.given("pots", "5")])
                == .unsupported(reason: "aboveMaximum", dialog: dialog))
        guard case .unsupported("belowMinimum", _) = try await Teahouse().resolve("pots", [.given("pots", json: "0")])
        else {
            Issue.record("0 is below 1")
            return
        }
    }

    @Test("the cases of an enumeration are offered if there is no value, or none that fits")
    func cases() async throws {
        for parameters in [[], [ParameterState.given("leaf", "coffee")]] {
            guard case .disambiguation(let options, let dialog) = try await Teahouse().resolve("leaf", parameters)
            else {
                Issue.record("no options")
                continue
            }
            #expect(options.map(\.id) == ["sencha", "assam", "pouchong"])
            #expect(options.map(\.value) == ["sencha", "assam", "pouchong"].map { .string($0) })
            #expect(options[1].subtitle == "Strong")
            #expect(dialog == (parameters.isEmpty ? "Which leaf?" : "Leaf can't be 'coffee'. Which leaf?"))
        }
    }

    @Test(
        "a required parameter with many options has all of them offered: how many are shown at a time is left to the person's side"
    )
    func required() async throws {
        let many = (1...200).map { Cup(id: "\($0)", title: "Cup \($0)") }
        guard case .disambiguation(let options, let dialog) = try await Teahouse(cups: many).resolve("cup", []) else {
            Issue.record("no options")
            return
        }
        #expect(options.map(\.id) == (1...200).map { "\($0)" } && dialog == "Which cup?")
    }

    @Test("notRequired is kept until a value is given")
    func notRequired() async throws {
        let handler = OrderTeaHandler(guest: { person, _ in person.map { .success($0) } ?? .needsValue() })
        let state = ParameterState(name: "guest", value: nil, origin: .notRequired)
        #expect(try await Teahouse(order: handler).resolve("guest", [state]) == .notRequired)
        let named = Teahouse(order: handler)
        #expect(
            try await named.resolve("guest", [.given("guest", "Kim")]) == .success(JSON(Person(displayName: "Kim"))))
    }
}
