import IntentKit
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The wire form of people, places, money and files")
struct ObjectWireFormTests {
    @Test("a place")
    func place() throws {
        let coordinate = try #require(Coordinate(latitude: 53.5, longitude: -6))
        try WireForm<Place>(
            written: [
                (Place(name: "Pub"), #"{"name":"Pub"}"#),
                (
                    Place(name: "Pub", locality: "D2", coordinate: coordinate, identifier: "p"),
                    #"{"name":"Pub","locality":"D2","latitude":53.5,"longitude":-6,"identifier":"p"}"#
                ),
            ],
            said: [(" Pub ", Place(name: "Pub"))],
            refused: [
                "5", #"" ""#, #"{"name":""}"#, #"{"name":"Pub","latitude":91,"longitude":0}"#,
                #"{"name":"Pub","latitude":53}"#,
            ]
        ).holds()
    }

    @Test("a person")
    func person() throws {
        let mother = Person(
            displayName: "Ann", handle: "ann@example.com", handleLabel: "home", customIdentifier: "a",
            relationship: "mother",
            aliases: ["Mum"], isMe: true)
        try WireForm<Person>(
            written: [
                (Person(displayName: "Kim"), #"{"name":"Kim"}"#),
                (
                    mother,
                    #"{"name":"Ann","handle":"ann@example.com","handleLabel":"home","identifier":"a","relationship":"mother","aliases":["Mum"],"isMe":true}"#
                ),
            ],
            read: [(#"{"name":"Kim","aliases":"x","isMe":"x"}"#, Person(displayName: "Kim"))],
            said: [(" Kim ", Person(displayName: "Kim"))],
            refused: ["5", #"" ""#, #"{"handle":"x"}"#, #"{"name":""}"#],
            shown: [(mother, "Ann")]
        ).holds()
        #expect(mother.displayRepresentation.synonyms == ["mother", "Mum"])
    }

    @Test("an amount of money")
    func money() throws {
        try WireForm<CurrencyAmount>(
            written: [
                (CurrencyAmount(minorUnits: 1450, currencyCode: "EUR"), #"{"amount":"14.50","currencyCode":"EUR"}"#),
                (CurrencyAmount(minorUnits: -1450, currencyCode: "JPY"), #"{"amount":"-1450","currencyCode":"JPY"}"#),
            ],
            read: [(#"{"amount":14.5,"currencyCode":"EUR"}"#, CurrencyAmount(minorUnits: 1450, currencyCode: "EUR"))],
            said: [
                ("€14.50", CurrencyAmount(minorUnits: 1450, currencyCode: "EUR")),
                ("20 dollars", CurrencyAmount(minorUnits: 2000, currencyCode: "USD")),
            ],
            refused: [
                "14.5", #""3""#, #"{"amount":"14.505","currencyCode":"EUR"}"#, #"{"amount":"1","currencyCode":"eur"}"#,
                #"{"amount":1e3,"currencyCode":"EUR"}"#,
            ],
            shown: [(CurrencyAmount(minorUnits: 1450, currencyCode: "EUR"), "€14.50")]
        ).holds()
        // A program can make this value, although no reader accepts it: writing the value does not trap.
        #expect(
            JSON(CurrencyAmount(minorUnits: .min, currencyCode: "EUR")).description.contains("-92233720368547758.08"))
    }

    @Test("a payment method")
    func paymentMethod() throws {
        let visa = PaymentMethod(type: .credit, name: "Visa", identificationHint: "4242", identifier: "v")
        try WireForm<PaymentMethod>(
            written: [
                (PaymentMethod(type: .savings), #"{"type":"savings"}"#),
                (visa, #"{"type":"credit","name":"Visa","identificationHint":"4242","identifier":"v"}"#),
            ],
            read: [(#"{"type":"crypto","name":"Coin"}"#, PaymentMethod(type: .unknown, name: "Coin"))],
            said: [
                ("my credit card", PaymentMethod(type: .credit)), ("Savings", PaymentMethod(type: .savings)),
                ("apple pay", .applePay),
                ("Visa", PaymentMethod(type: .unknown, name: "Visa")),
                ("unknown", PaymentMethod(type: .unknown, name: "unknown")),
                ("my", PaymentMethod(type: .unknown, name: "my")),
            ],
            refused: ["1", #"" ""#, #"{"name":"Visa"}"#, #"{"type":1}"#],
            shown: [
                (visa, "Visa"), (PaymentMethod(type: .checking), "checking account"),
                (PaymentMethod(type: .debit), "debit card"),
            ]
        ).holds()
        #expect(
            visa.optionID == "v"
                && PaymentMethod(type: .credit, name: "Visa", identificationHint: "1").optionID == "Visa 1")
    }

    @Test("a file")
    func file() throws {
        let url = try #require(URL(string: "https://example.com/menus/menu.pdf?v=2"))
        let fetched = try IntentFile(url: url, type: "application/pdf")
        let inline = try IntentFile(data: Data([1, 2, 3, 255]), filename: "a.bin")
        let tooLarge = Data(repeating: 0, count: IntentFile.maximumInlineBytes + 1).base64EncodedString()
        try WireForm<IntentFile>(
            written: [
                (
                    fetched,
                    #"{"name":"menu.pdf","type":"application/pdf","url":"https://example.com/menus/menu.pdf?v=2"}"#
                ),
                (inline, #"{"name":"a.bin","data":"AQID/w=="}"#),
                (
                    try IntentFile(data: Data(count: IntentFile.maximumInlineBytes), filename: "z"),
                    #"{"name":"z","data":""# + Data(count: IntentFile.maximumInlineBytes).base64EncodedString() + "\"}"
                ),
            ],
            read: [
                (
                    #"{"url":"https://example.com/"}"#,
                    try IntentFile(url: try #require(URL(string: "https://example.com/")), filename: "file")
                )
            ],
            said: [("https://example.com/menus/menu.pdf?v=2", try IntentFile(url: url))],
            refused: [
                #""menu.pdf""#, #""file:///etc/passwd""#, #""data:text/plain,x""#, #"{"name":"a"}"#,
                #"{"name":"a","url":"file:///etc/passwd"}"#,
                #"{"name":"a","data":"AQID/w"}"#, #"{"name":"a","data":"!"}"#, #"{"data":"AQID"}"#,
                #"{"name":"../a","data":"AQID"}"#,
                #"{"name":"..","data":"AQID"}"#,
                #"{"name":"a","data":"AQID","url":"https://x.y/a"}"#, "{\"name\":\"a\",\"data\":\"\(tooLarge)\"}", "1",
            ], shown: [(fetched, "menu.pdf")]
        ).holds()
    }

    @Test("a file that is refused throws the reason")
    func refusedFile() throws {
        func reason(_ body: () throws -> IntentFile) -> RejectionReason? {
            do { _ = try body() } catch let error as IntentFailure { return error.reason } catch {}
            return nil
        }
        #expect(reason { try IntentFile(data: Data(count: 32_769), filename: "a") } == .complex)
        #expect(reason { try IntentFile(data: Data(), filename: "a/b") } == .invalid)
        #expect(reason { try IntentFile(url: URL(fileURLWithPath: "/etc/passwd")) } == .invalid)
        #expect(reason { try IntentFile(data: Data(), filename: "a", type: "") } == .invalid)
    }
}
