import Foundation
import IntentKit
import Testing

@Suite("The wire form of people, places, money and files") struct ObjectWireFormTests {
    @Test func `a place needs a name, and both of its coordinates or none`() throws {
        let coordinate = try #require(Coordinate(latitude: 53.5, longitude: -6))
        let known = Place(name: "Pub", locality: "D2", coordinate: coordinate, identifier: "p")
        try WireForm<Place>(
            written: [
                (Place(name: "Pub"), #"{"name":"Pub"}"#),
                (known, #"{"name":"Pub","locality":"D2","latitude":53.5,"longitude":-6,"identifier":"p"}"#),
            ],
            read: [
                (
                    #"{"name":"Pub","latitude":53.5,"longitude":-6,"more":[]}"#,
                    Place(name: "Pub", coordinate: coordinate)
                )
            ], said: [(" Pub ", Place(name: "Pub"))],
            refused: [
                "5", #"" ""#, #"{"name":""}"#, #"{"name":"Pub","latitude":91,"longitude":0}"#,
                #"{"name":"Pub","latitude":53}"#, #"{"latitude":53,"longitude":-6}"#,
            ]
        ).holds()
    }

    @Test func `a person`() throws {
        let mother = Person(
            displayName: "Ann", handle: "ann@example.com", handleLabel: "home", customIdentifier: "a",
            relationship: "mother", aliases: ["Mum"], isMe: true)
        let home = #""handle":"ann@example.com","handleLabel":"home""#
        let family = #""relationship":"mother","aliases":["Mum"],"isMe":true"#
        try WireForm<Person>(
            written: [
                (Person(displayName: "Kim"), #"{"name":"Kim"}"#),
                (mother, #"{"name":"Ann",\#(home),"identifier":"a",\#(family)}"#),
            ], read: [(#"{"name":"Kim","aliases":"x","isMe":"x"}"#, Person(displayName: "Kim"))],
            said: [(" Kim ", Person(displayName: "Kim"))],
            refused: ["5", #"" ""#, #"{"handle":"x"}"#, #"{"name":""}"#], shown: [(mother, "Ann")]
        ).holds()
        #expect(mother.displayRepresentation.synonyms == ["mother", "Mum"])
    }

    @Test func `an amount of money`() throws {
        func amount(_ minorUnits: Int, _ code: String = "EUR") -> CurrencyAmount {
            CurrencyAmount(minorUnits: minorUnits, currencyCode: code)
        }
        try WireForm<CurrencyAmount>(
            written: [
                (amount(1450), #"{"amount":"14.50","currencyCode":"EUR"}"#),
                (amount(-5), #"{"amount":"-0.05","currencyCode":"EUR"}"#),
                (amount(-1450, "JPY"), #"{"amount":"-1450","currencyCode":"JPY"}"#),
            ], read: [(#"{"amount":14.5,"currencyCode":"EUR"}"#, amount(1450))],
            said: [("€14.50", amount(1450)), ("20 dollars", amount(2000, "USD")), ("EUR 3", amount(300))],
            refused: [
                "14.5", #""3""#, #""14.505 EUR""#, #""14,50 EUR""#, #""EUR""#, #""x EUR""#, #""1e3 EUR""#,
                #""5 EUROS2""#, #""14. EUR""#, #"{"amount":"14.505","currencyCode":"EUR"}"#,
                #"{"amount":"1","currencyCode":"eur"}"#, #"{"amount":1e3,"currencyCode":"EUR"}"#,
            ], shown: [(amount(1450), "€14.50"), (amount(-5), "-€0.05"), (amount(14500, "KWD"), "14.500 KWD")]
        ).holds()
        // A program can make this value, although no reader accepts it: writing the value does not trap.
        #expect(JSON(amount(.min)).description.contains("-92233720368547758.08"))
    }

    @Test func `a payment method`() throws {
        let visa = PaymentMethod(type: .credit, name: "Visa", identificationHint: "4242", identifier: "v")
        func unknown(_ name: String) -> PaymentMethod { PaymentMethod(type: .unknown, name: name) }
        try WireForm<PaymentMethod>(
            written: [
                (PaymentMethod(type: .savings), #"{"type":"savings"}"#),
                (visa, #"{"type":"credit","name":"Visa","identificationHint":"4242","identifier":"v"}"#),
            ], read: [(#"{"type":"crypto","name":"Coin"}"#, unknown("Coin"))],
            said: [
                ("my credit card", PaymentMethod(type: .credit)), ("Savings", PaymentMethod(type: .savings)),
                ("apple pay", .applePay), ("Visa", unknown("Visa")), ("unknown", unknown("unknown")),
                ("my", unknown("my")),
            ], refused: ["1", #"" ""#, #"{"name":"Visa"}"#, #"{"type":1}"#],
            shown: [
                (visa, "Visa"), (PaymentMethod(type: .checking), "checking account"),
                (PaymentMethod(type: .debit), "debit card"),
            ]
        ).holds()
        let hinted = PaymentMethod(type: .credit, name: "Visa", identificationHint: "1")
        #expect(visa.optionID == "v" && hinted.optionID == "Visa 1")
    }

    @Test func `a file`() throws {
        let url = try #require(URL(string: "https://example.com/menus/menu.pdf?v=2"))
        let site = try #require(URL(string: "https://example.com/"))
        let fetched = try IntentFile(url: url, type: "application/pdf")
        let inline = try IntentFile(data: Data([1, 2, 3, 255]), filename: "a.bin")
        let largest = Data(count: IntentFile.maximumInlineBytes)
        let tooLarge = Data(count: IntentFile.maximumInlineBytes + 1).base64EncodedString()
        try WireForm<IntentFile>(
            written: [
                (fetched, #"{"name":"menu.pdf","type":"application/pdf","url":"\#(url.absoluteString)"}"#),
                (inline, #"{"name":"a.bin","data":"AQID/w=="}"#),
                (
                    try IntentFile(data: largest, filename: "z"),
                    #"{"name":"z","data":"\#(largest.base64EncodedString())"}"#
                ),
            ], read: [(#"{"url":"https://example.com/"}"#, try IntentFile(url: site, filename: "file"))],
            said: [(url.absoluteString, try IntentFile(url: url))],
            refused: [
                #""menu.pdf""#, #""file:///etc/passwd""#, #""data:text/plain,x""#, #"{"name":"a"}"#,
                #"{"name":"a","url":"file:///etc/passwd"}"#, #"{"name":"a","data":"AQID/w"}"#,
                #"{"name":"a","data":"!"}"#, #"{"data":"AQID"}"#, #"{"name":"../a","data":"AQID"}"#,
                #"{"name":"..","data":"AQID"}"#, #"{"name":"a","data":"AQID","url":"https://x.y/a"}"#,
                #"{"name":"a","data":"\#(tooLarge)"}"#, "1",
            ], shown: [(fetched, "menu.pdf")]
        ).holds()
    }

    @Test func `a file that is refused throws the reason`() throws {
        func reason(_ file: @autoclosure () throws -> IntentFile) -> RejectionReason? {
            #expect(throws: IntentFailure.self) { _ = try file() }?.reason
        }
        #expect(reason(try IntentFile(data: Data(count: 32_769), filename: "a")) == .complex)
        #expect(reason(try IntentFile(data: Data(), filename: "a/b")) == .invalid)
        #expect(reason(try IntentFile(url: URL(fileURLWithPath: "/etc/passwd"))) == .invalid)
        #expect(reason(try IntentFile(data: Data(), filename: "a", type: "")) == .invalid)
    }
}

@Suite("The wire form of recurrences and date ranges") struct TimeWireFormTests {
    private func moment(_ text: String) throws -> Date { try #require(Date(text: text)) }

    @Test func `a recurrence`() throws {
        let end = try moment("2026-12-31T00:00:00Z")
        let monday = RecurrenceRule(
            interval: 2, frequency: .weekly, weekdays: [.thursday, .monday], end: .after(count: 10))
        let yearly = RecurrenceRule(frequency: .yearly, end: .until(end))
        try WireForm<RecurrenceRule>(
            written: [
                (RecurrenceRule(frequency: .daily), #"{"frequency":"daily"}"#),
                (monday, #"{"frequency":"weekly","interval":2,"weekdays":["monday","thursday"],"count":10}"#),
                (yearly, #"{"frequency":"yearly","until":"2026-12-31T00:00:00Z"}"#),
            ],
            read: [
                (#"{"frequency":"weekly","interval":2,"weekdays":["thursday","monday","monday"],"count":10.0}"#, monday)
            ],
            said: [
                ("daily", RecurrenceRule(frequency: .daily)), ("annually", RecurrenceRule(frequency: .yearly)),
                ("Every 2 weeks", RecurrenceRule(interval: 2, frequency: .weekly)),
                ("every other day", RecurrenceRule(interval: 2, frequency: .daily)),
                ("every two weeks on Monday and Thursday for 10 times", monday),
                ("weekly on mon, tue", RecurrenceRule(frequency: .weekly, weekdays: [.monday, .tuesday])),
                ("every weekday", RecurrenceRule(frequency: .weekly, weekdays: Weekday.allCases.prefix(5))),
                ("every month until 2026-12-31T00:00:00Z", RecurrenceRule(frequency: .monthly, end: .until(end))),
                ("every hour 3 times", RecurrenceRule(frequency: .hourly, end: .after(count: 3))),
                ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=10", monday),
                ("RRULE:freq=yearly;until=20261231T000000Z", yearly),
            ],
            refused: [
                "1", #""""#, #""often""#, #""every""#, #""every 0 days""#, #""every 1001 days""#, #""daily on Monday""#,
                #""every xyzday""#, #""every day until tomorrow""#, #""every day 0 times""#, #""minute""#,
                #""FREQ=DAILY;BYMONTH=1""#, #""FREQ=DAILY;COUNT=1;UNTIL=20261231T000000Z""#, #""INTERVAL=2""#,
                #""FREQ=DAILY;BYDAY=MO""#, #""FREQ=DAILY;COUNT=99999999999999999999""#,
                #"{"frequency":"daily","interval":0}"#, #"{"frequency":"often"}"#,
                #"{"frequency":"daily","interval":1e30}"#,
                #"{"frequency":"daily","count":1,"until":"2026-12-31T00:00:00Z"}"#,
                #"{"frequency":"weekly","weekdays":["someday"]}"#, #"{"frequency":"daily","weekdays":["monday"]}"#,
                #"{"frequency":"weekly","weekdays":"monday"}"#, #"{"frequency":"daily","count":-1}"#,
                #"{"frequency":"daily","until":"soon"}"#,
            ],
            shown: [
                (monday, "every 2 weeks on Monday and Thursday, 10 times"),
                (RecurrenceRule(frequency: .minute), "every minute"), (yearly, "every year until 2026-12-31 00:00 UTC"),
            ]
        ).holds()
    }

    @Test func `a recurrence is clamped to its bounds`() {
        let rule = RecurrenceRule(interval: .min, frequency: .daily, weekdays: [.monday], end: .after(count: .max))
        #expect(rule.interval == 1 && rule.weekdays.isEmpty && rule.end == .after(count: 100_000))
    }

    @Test func `a date range`() throws {
        let (six, eight) = (try moment("2026-03-02T18:00:00Z"), try moment("2026-03-02T20:00:00Z"))
        let evening = try #require(DateRange(start: six, end: eight))
        let evenings = try #require(DateRange(start: six, end: eight, recurrence: RecurrenceRule(frequency: .daily)))
        let from = try #require(DateRange(start: six, end: nil))
        let until = try #require(DateRange(start: nil, end: eight))
        let (start, end) = (#""start":"2026-03-02T18:00:00Z""#, #""end":"2026-03-02T20:00:00Z""#)
        try WireForm<DateRange>(
            written: [
                (evening, "{\(start),\(end)}"), (from, "{\(start)}"), (until, "{\(end)}"),
                (evenings, #"{\#(start),\#(end),"recurrence":{"frequency":"daily"}}"#),
            ],
            read: [(#"{\#(start),\#(end),"recurrence":"every day"}"#, evenings), (#"{\#(start),"end":null}"#, from)],
            said: [
                ("2026-03-02T18:00:00Z/2026-03-02T20:00:00Z", evening), ("2026-03-02T18:00:00Z/PT2H", evening),
                ("PT2H/2026-03-02T20:00:00Z", evening), ("2026-03-02T18:00:00Z/..", from),
                ("../2026-03-02T20:00:00Z", until), ("from 2026-03-02 18:00:00Z to 2026-03-02 20:00:00Z", evening),
                ("between 2026-03-02 18:00:00Z and 2026-03-02 20:00:00Z", evening), ("from 2026-03-02T18:00:00Z", from),
                ("until 2026-03-02T20:00:00Z", until),
            ],
            refused: [
                "1", #""""#, #""tonight""#, #""from""#, #""2026-03-02T18:00:00Z""#,
                #""2026-03-02T20:00:00Z/2026-03-02T18:00:00Z""#, #""../..""#, #""/""#, #""a/b/c""#,
                #""2026-03-02T18:00:00Z/-PT2H""#, "{}", #"{"start":5}"#,
                #"{"start":"2026-03-02T20:00:00Z","end":"2026-03-02T18:00:00Z"}"#, "{\(start),\"recurrence\":5}",
                #"{\#(start),"recurrence":"often"}"#,
            ],
            shown: [
                (evening, "2026-03-02 18:00 UTC to 2026-03-02 20:00 UTC"), (until, "until 2026-03-02 20:00 UTC"),
                (evenings, "2026-03-02 18:00 UTC to 2026-03-02 20:00 UTC, every day"),
            ]
        ).holds()
        #expect(evening.contains(six) && !evening.contains(eight) && from.contains(eight) && !until.contains(eight))
        #expect(DateRange(start: nil, end: nil) == nil)
        let isRefused = DateRange(start: Date(timeIntervalSinceReferenceDate: .nan), end: eight) == nil
        #expect(isRefused)
    }
}
