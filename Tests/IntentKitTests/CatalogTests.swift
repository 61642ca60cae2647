import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

@Suite("The catalogue describes what a process serves")
struct CatalogTests {
    private let registry: IntentRegistry

    init() throws {
        let table = try LocalizedTable([
            "Activity": ["nl": "Activiteit"], "Biking": ["nl": "Fietsen"],
            "Suggest Trails": ["nl": "Paden voorstellen"],
            "Pick a bike ride from ${trailCollection}": ["nl": "Kies een fietstocht uit ${trailCollection}"],
        ])
        registry = try IntentRegistry(
            [Teahouse(), ConfirmationAsker<SuggestedTrails>(tables: [table])], dependencies: AppDependencyManager())
    }

    @Test("it lists every intent in the registry's order")
    func order() {
        #expect(registry.catalog.map(\.name) == ["OrderTea", "Nod", "SuggestedTrails"])
        #expect(registry.describe("Sleep") == nil)
    }

    @Test("an entry has the intent's phases and its confirmation policy")
    func phases() {
        #expect(registry.catalog.map(\.confirmation) == [.depends, .never, .always])
        #expect(
            registry.catalog.map(\.phases) == [
                [.resolve, .confirm, .handle], [.confirm, .handle], [.resolve, .confirm, .handle],
            ])
    }

    @Test("a parameter's entry has everything from its declaration")
    func parameter() throws {
        let tea = try #require(registry.describe("OrderTea")).parameters
        #expect(tea.map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(tea.map(\.type.name) == ["Leaf", "Int", "Cup", "Person", "String"])
        #expect(tea.map(\.isRequired) == [true, true, true, false, false])
        #expect(tea[0].prompts.map(\.name) == ["value"] && tea[0].prompts.map(\.value) == ["Which leaf?"])
        #expect(
            tea[1].range?.minimum == .number(1) && tea[1].range?.maximum == .number(4) && tea[1].range?.text == "1 to 4"
        )
        #expect(tea[1].defaultValue?.value == .number(1) && tea[1].defaultValue?.text == "1")
        #expect(tea[2].options == .provided(by: "CupOptions") && tea[4].options == .any)
        guard case .known(let leaves) = tea[0].options else {
            Issue.record("\(tea[0].options)")
            return
        }
        #expect(leaves.map(\.id) == ["sencha", "assam", "pouchong"] && leaves[1].subtitle == "Strong")
    }

    @Test("entries are in the reader's language")
    func language() throws {
        let dutch = try #require(registry.describe("SuggestedTrails", in: "nl-NL"))
        #expect(dutch.title == "Paden voorstellen" && dutch.parameters[0].title == "Activiteit")
        #expect(dutch.text.contains("Kies een fietstocht uit ${trailCollection}"))
        #expect(dutch.text.contains("biking (Fietsen, cycling)"))
    }

    @Test("an entry prints as a page")
    func page() throws {
        let page = """
            SuggestedTrails: Suggest Trails
              Suggests trails for an activity.
              phases: resolve, confirm, handle
              confirmation: always
              summary:
                if activity is Biking:
                  if location has a value:
                    Ride a bike within ${searchRadius} of ${location}
                  otherwise:
                    if trailCollection has a value:
                      Pick a bike ride from ${trailCollection}
                    otherwise:
                      Suggest bike rides from ${trailCollection} or near ${location}
                otherwise:
                  if location has a value:
                    Suggest ${activity} trails within ${searchRadius} of ${location}
                  otherwise:
                    if trailCollection has a value:
                      Suggest ${activity} trails from ${trailCollection}
                    otherwise:
                      Suggest ${activity} trails from ${trailCollection} or near ${location}
              parameters:
                activity: Activity (ActivityStyle, required)
                  What to do there.
                  type: one of 'biking', 'hiking', 'jogging'
                  options: biking (Biking, cycling), hiking (Hiking), jogging (Jogging)
                location: Location (Place, optional)
                  type: a place: its name, or an object with 'name' and, if known, 'latitude' and 'longitude'
                searchRadius: Search Radius (Measurement<UnitLength>, optional)
                  type: a length with its unit, such as '2 mm' or '2 cm'
                  range: 1 km to 50 km
                trailCollection: Trail Collection (String, optional)
                  type: text

            """
        #expect(registry.describe("SuggestedTrails")?.text == page)
        #expect(registry.describe("Nod")?.text.hasSuffix("  parameters: none\n") == true)
    }

    @Test("a parameter of an author's own type prints with the type's name and its range")
    func ownType() throws {
        struct Stroll: Intent {
            static let title: LocalizedText = "Stroll"
            @Parameter(title: "Radius", .inclusiveRange(Kilometres(1)...Kilometres(50))) var radius: Kilometres?
            static let parameters = Parameters<Self>(\.$radius)
        }
        let text = try #require(ConfirmationAsker<Stroll>().registry().describe("Stroll")).text
        #expect(
            text.contains(
                "(Kilometres, optional)\n      type: a value of type Kilometres\n      range: 1 km to 50 km\n"))
    }

    @Test("an entry prints as JSON")
    func json() throws {
        let json = try #require(registry.describe("OrderTea")?.json.view)
        #expect(json["name"]?.string == "OrderTea" && json["confirmation"]?.string == "depends")
        #expect(json["summary"]?["parameter"]?.string == "guest")
        #expect(json["summary"]?["cases"]?.elements.first?["is"]?.string == "hasAnyValue")
        #expect(json["summary"]?["otherwise"]?["cases"]?.elements.first?["operands"]?.json == .array([.number(1)]))
        let parameters = json["parameters"]?.elements ?? []
        #expect(parameters.map { $0["required"]?.bool } == [true, true, true, false, false])
        #expect(
            parameters[0]["options"]?["known"]?.elements.map { $0["id"]?.string } == ["sencha", "assam", "pouchong"])
        #expect(parameters[2]["options"]?["provider"]?.string == "CupOptions")
        #expect(parameters[0]["prompts"]?["value"]?.string == "Which leaf?")
        // The indented description is valid JSON with the same parameters.
        let indented = try JSON(parsing: Array((registry.describe("OrderTea")?.json.indented ?? "").utf8))
        #expect(indented.view["parameters"]?.elements.count == 5)
    }
}
