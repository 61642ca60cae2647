import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Books a guide. Shows how to ask for an optional value only if it is needed, how to record a quoted fee, and how to
/// open another intent.
struct BookTrailGuide: AppIntent {
    static let title: LocalizedText = "Book Trail Guide"
    static let description: LocalizedText? = "Books a guide for a trail and tells you about the trail."

    @Parameter(title: "Trail", requestValueDialog: "Which trail would you like to be guided on?")
    var trail: TrailEntity

    @Parameter(title: "Date", description: "The day, in the person's time zone.")
    var date: Date?

    @Parameter(title: "People", requestValueDialog: "How many of you are there?", .inclusiveRange(1...8))
    var partySize: Int = 1

    @Dependency private var trailManager: TrailDataManager
    @Dependency private var diary: TrailDiary

    static let parameters = Parameters<Self>(\.$trail, \.$date, \.$partySize)

    static var parameterSummary: some ParameterSummary { Summary("Book a guide on \(\.$trail) for \(\.$partySize)") }

    func perform() async throws -> some IntentResult & ReturnsValue<String> & OpensIntent & ProvidesDialog {
        guard let guide = trailManager.guides[trail.location] else { throw TrailError.noGuide(trail) }
        guard let date = date else {
            throw $date.requestValue("What date would you like to use?")
        }
        let day = day(of: date)
        if try diary.isBooked(guide, on: day, idempotencyKey: context.idempotencyKey) {
            throw $date.requestValue("\(guide) is taken on \(day). What other date would you like to use?")
        }
        // Recorded, so that the person pays the fee that they agreed to even if it changes before they answer.
        let fee = try await context.once("fee") {
            CurrencyAmount(
                minorUnits: trailManager.guideFee.minorUnits * partySize,
                currencyCode: trailManager.guideFee.currencyCode)
        }
        try await requestConfirmation(
            dialog: "\(guide) takes you along \(trail) on \(day) for \(fee). Shall I book it?")
        let number = try diary.book(guide, on: day, for: trail, idempotencyKey: context.idempotencyKey)
        return .result(
            value: number, opensIntent: GetTrailInfo(trail), dialog: "\(guide) is booked. Your number is \(number).")
    }

    /// The day on the person's calendar, such as 2027-05-01.
    private func day(of date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = context.timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return CalendarDate(year: parts.year ?? 1, month: parts.month ?? 1, day: parts.day ?? 1)?.displayText
            ?? "\(date)"
    }
}
