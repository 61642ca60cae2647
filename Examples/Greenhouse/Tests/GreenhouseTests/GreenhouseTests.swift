import IntentKit
import PipelineTestKit
import Testing

@testable import Greenhouse

@Test("One of two ferns gets what it can drink, once the person has agreed")
func twoFerns() async throws {
    let shelf = Shelf()
    var talk = try await TestConversation(with: [GreenhouseExtension(shelf: shelf)])

    try await talk.request("WaterPlant", ["plant": "fern", "amount": "3 litres"])
    try await talk.answer("Boston fern")
    try await talk.answer("a bucket")
    try await talk.answer("300 mL")
    try await talk.answer("yes")

    let lines = try talk.lines
    #expect(
        lines == [
            "offers plant: Boston fern | Maidenhair fern",
            "asks amount: The Boston fern drowns in more than 1 L.",
            "asks amount: 'a bucket' is not a volume with its unit, such as '2 mL' or '2 cL'.",
            "confirms: Give the Boston fern 300 mL of water?",
            "success success: The Boston fern says thank you.",
        ])
    #expect(await shelf.poured == ["Boston fern": Measurement(value: 300, unit: .milliliters)])
}
