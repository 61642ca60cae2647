import IntentKit
import PipelineTestKit
import TestTrails
import Testing

private struct Hike: Intent {
    static let title: LocalizedText = "Hike"
    @Parameter(title: "Trail") var trail: TrailEntity?
    @Parameter(title: "People") var people: Int?
    static let parameters = Parameters<Self>(\.$trail, \.$people)
}

private struct HikeHandler: IntentHandling {
    func confirm(_ hike: Hike, context: Context) async throws -> ConfirmResponse {
        .ready(dialog: "\(try await hike.$trail.requestValue().id)")
    }
    func handle(_ hike: Hike, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(hike.trail?.id ?? 0)")
    }
}

private struct HikeExtension: IntentExtension {
    let intents: [any Intent.Type] = [Hike.self]
    func handler(for intent: any Intent) -> (any IntentHandler)? { HikeHandler() }
    func provideDependencies(to manager: AppDependencyManager) { manager.add(TrailDataManager()) }
}

@Suite("Later phases keep the answers of earlier ones")
struct LaterPhaseTests {
    @Test("later phases read an answer as the phase that asked did")
    func sameReading() async throws {
        var asking = try Asking(HikeExtension(), "Hike")
        asking.phase = .confirm
        let question = await asking.run().question
        #expect(question?.parameter == "trail")

        let confirmed = await asking.answer(question, .string("Mount Bell"))
        #expect(confirmed == .responded(.ready(dialog: "1")))
        // The coordinator stores the answer, and another phase begins without answers.
        asking.phase = .handle
        asking.context.answers = []
        #expect(await asking.run() == .responded(.success(dialog: "1")))
    }

    @Test("the response reports how an answer was read")
    func reported() async throws {
        var asking = try Asking(HikeExtension(), "Hike")
        asking.phase = .confirm
        let question = await asking.run().question
        #expect(asking.taken.isEmpty)
        _ = await asking.answer(question, .string("Mount Bell"))
        #expect(asking.taken.keys.sorted() == ["trail"] && asking.taken["trail"]?.view["id"]?.int == 1)
        // An answer that equals the value is not reported again.
        _ = await asking.answer(question, asking.taken["trail"])
        #expect(asking.taken.isEmpty)
    }

    @Test("an unreadable value is still refused")
    func unreadable() async throws {
        var asking = try Asking(HikeExtension(), "Hike", [.given("people", "many")])
        asking.phase = .handle
        #expect(await asking.run().failure?.field == "parameters.people")
    }
}
