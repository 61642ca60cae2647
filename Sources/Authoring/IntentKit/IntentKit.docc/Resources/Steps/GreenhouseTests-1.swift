import IntentKit
import PipelineTestKit
import Testing

@testable import Greenhouse

@Test("One of two ferns gets what it can drink, once the person has agreed")
func twoFerns() async throws {
    let shelf = Shelf()
    var talk = try await TestConversation(with: [GreenhouseExtension(shelf: shelf)])
}
