import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit

// The memory of a person, and the parts of requests.
extension RandomSession {
    mutating func remembered() -> RememberedValue {
        RememberedValue(key: key(), value: value(), intent: maybe { $0.id() }, time: instant())
    }

    /// A key of the memory, which is never empty.
    mutating func key() -> String { "k" + text() }

    mutating func keys() -> [String]? { maybe { $0.words() } }

    mutating func person() -> PersonMemory {
        if random.once(in: 3) { return PersonMemory() }
        return PersonMemory(
            stream: id(), last: max(1, int()), pending: some { $0.change() }, told: maybe { $0.position() })
    }

    mutating func change() -> MemoryChange {
        MemoryChange(
            random.once(in: 2) ? .remember(remembered()) : .forget(keys()), stream: id(), number: int(),
            since: maybe { $0.position() }, time: instant(), event: maybe { $0.id() })
    }

    mutating func position() -> MemoryPosition {
        MemoryPosition(epoch: random.once(in: 2) ? 0 : int(), offset: Int64(int()))
    }

    mutating func rememberedPerson() -> RememberedPerson {
        RememberedPerson(
            values: some { $0.remembered() },
            forgettings: some {
                DoneForgetting(
                    keys: $0.keys(), count: $0.int(), stream: $0.id(), number: $0.int(), position: $0.position())
            }, streams: some { MemoryStream(name: $0.id(), number: $0.int()) }, position: position())
    }

    mutating func route() -> IntentRoute { IntentRoute(service: word(), appService: word(), isInApp: flip()) }

    mutating func parameters() -> [ParameterState] {
        let origins: [ParameterState.Origin] = [.given, .chosen, .confirmed, .resolved, .notRequired]
        return some { make in
            var state = ParameterState(
                name: make.text(), value: make.maybe { $0.value() }, origin: make.random.pick(origins))
            state.elements = make.maybe { $0.some { $0.random.pick(origins) } }
            state.isSecret = make.random.once(in: 4)
            state.provenance = make.maybe { $0.provenance() }
            return state
        }
    }

    mutating func provenance() -> ParameterState.Provenance {
        ParameterState.Provenance(
            source: maybe { $0.random.pick(ParameterState.Provenance.Source.allCases) },
            original: maybe { .string($0.text()) }, interpreted: maybe { .string($0.text()) },
            confidence: Double(number(0...100)) / 100)
    }

    mutating func prompt(_ kind: Prompt.Kind) -> Prompt {
        var prompt = Prompt(
            id: id(), intent: id(), kind: kind, parameter: word(), dialog: text(), value: maybe { $0.value() },
            options: kind == .choice ? [option(), option()] : [], unsupportedReason: word(), summary: word(),
            expires: Instant(milliseconds: Int64(number(0...4_000_000_000_000))))
        prompt.title = word()
        prompt.element = maybe { $0.number(0...3) }
        prompt.isSecret = flip()
        prompt.isAboutItems = flip()
        prompt.isAboutIntents = flip()
        prompt.proposed = parameters()
        prompt.omitsOptions = flip()
        prompt.rejectedValue = prompt.unsupportedReason == nil ? nil : maybe { $0.value() }
        prompt.declaration = maybe { $0.value() }
        prompt.parameters = some { $0.shown() }
        prompt.action = maybe { $0.action() }
        prompt.supportingDialog = word()
        prompt.provenance = maybe { $0.provenance() }
        prompt.snippet = maybe { $0.snippet() }
        if kind == .signIn { prompt.signIn = signIn() }
        prompt.question = maybe { Prompt.Question(id: $0.text(), phase: $0.flip() ? .confirm : .handle) }
        return prompt
    }

    /// The members of a response that are stored while the person chooses one of its items.
    mutating func response() -> IntentResponse {
        var response = IntentResponse(
            ResponseCode(rawValue: text()), userActivity: maybe { $0.activity() }, dialog: word(), values: object())
        response.choice = maybe { ItemChoice(dialog: $0.word(), remembers: $0.table { $0.text() }) }
        response.items = some { $0.option() }
        response.remembered = object()
        response.rememberedForPerson = object()
        response.offersUpdates = flip()
        response.opensIntent = maybe { OpenedIntent(intent: $0.id(), parameters: $0.object()) }
        response.supportingDialog = word()
        response.snippet = maybe { $0.snippet() }
        response.undo = maybe {
            UndoOffer(
                OpenedIntent(intent: $0.random.pick(["CancelRide", "Unsend"]), parameters: $0.object()),
                title: $0.word(), validFor: .milliseconds($0.number(1_000...86_400_000)))
        }
        response.results = some {
            ElementResult(id: $0.word(), title: $0.text(), code: ResponseCode(rawValue: $0.text()), dialog: $0.word())
        }
        return response
    }

    mutating func snippet() -> Snippet {
        Snippet(
            plain: text(), subtitle: word(), image: maybe { .systemName($0.text()) },
            lines: some { Snippet.Line(plain: $0.text(), $0.text()) })
    }

    mutating func signIn() -> SignIn {
        SignIn(
            url: maybe { $0.random.pick(["https://example.com/sign-in?state=1", "rides:link"]) },
            code: maybe { _ in "WDJB-MJHT" }, title: maybe { _ in "Example Rides" },
            validFor: maybe { .milliseconds($0.number(1_000...86_400_000)) },
            requires: maybe { $0.random.pick(SignIn.Requirement.allCases) })
    }

    mutating func undoable() -> UndoableRequest {
        var request = request()
        request.parameters = []
        let undo = OpenedIntent(intent: id(), parameters: object())
        var undoable = UndoableRequest(request: request, undo: undo, expires: instant())
        undoable.undoneBy = maybe { $0.id() }
        return undoable
    }

    mutating func option() -> ParameterOption {
        ParameterOption(
            id: text(), title: text(), subtitle: word(), value: value(), synonyms: words(), section: word(),
            image: maybe { $0.random.pick([.systemName($0.text()), .named($0.text()), .url($0.text())]) })
    }

    mutating func shown() -> PromptParameter {
        var shown = PromptParameter(
            name: text(), title: word(), text: word(), value: maybe { $0.value() }, isMissing: flip(),
            declaration: maybe { $0.value() })
        shown.options = some { $0.option() }
        shown.omitsOptions = flip()
        return shown
    }

    mutating func action() -> ConfirmationAction {
        ConfirmationAction(
            name: text(), acceptLabel: text(), acceptAlternatives: words(), denyLabel: text(),
            denyAlternatives: words(), isDestructive: flip())
    }

    mutating func principal() -> Principal { Principal(random.pick(Principal.Kind.allCases), id()) }

    mutating func handoff() -> Handoff {
        var handoff = Handoff(
            id: id(), request: id(), mode: flip() ? .foreground : .background, activity: activity(),
            interaction: Interaction(intent: id(), parameters: parameters(), code: ResponseCode(rawValue: text())),
            expires: instant(), claimant: maybe { random in Claimant(random.id(), proof: random.word()) })
        handoff.returns = number(0...2)
        handoff.interaction.response = object()
        return handoff
    }

    mutating func activity() -> UserActivity {
        var activity = UserActivity(activityType: text(), title: word(), userInfo: object(), webpageURL: word())
        activity.requiredUserInfoKeys = words()
        activity.expirationDate = maybe { Int64($0.number(0...4_000_000_000_000)) }
        activity.persistentIdentifier = word()
        activity.keywords = words()
        return activity
    }

    mutating func result() -> EncodedResult {
        EncodedResult(
            sequence: int(), type: random.pick(EventType.allCases), request: maybe { $0.id() }, time: instant(),
            data: .object(["session": .string(text()), "x": value()]), trace: maybe { $0.trace() })
    }

    mutating func object() -> [String: JSON] { table { $0.value() } }

    mutating func value() -> JSON {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .null
        case 1: .bool(flip())
        case 2: .number(int())
        case 3: .number(Double.random(in: -1e6...1e6, using: &random))
        case 4: .array(some { $0.value() })
        case 5: .object(["a": value(), text(): value()])
        default: .string(text())
        }
    }

    mutating func trace() -> TraceContext { TraceContext(parent: text(), state: word()) }

    mutating func text() -> String {
        random.pick([
            "", "r1", "ride-1.2.9b1deb4d3b7d4bad", "drop off", "\"quoted\" \\ / \n\t\u{1}", "Küche", "🚕👨‍👩‍👧",
            "\u{7F}\u{2028}", "null", "{}",
        ])
            + (random.once(in: 3) ? "\(Int.random(in: 0..<1_000, using: &random))" : "")
    }

    mutating func ticket() -> Ticket { Ticket(using: &random) }

    mutating func int() -> Int { random.once(in: 20) ? random.pick([0, 1 << 53]) : number(0...1_000_000) }

    mutating func instant() -> Instant {
        Instant(
            milliseconds: random.once(in: 20) ? random.pick([.min, -1, 0, .max]) : Int64(number(0...4_000_000_000_000)))
    }

    mutating func id() -> Identifier { Identifier(text()) }

    mutating func word() -> String? { maybe { $0.text() } }

    mutating func words() -> [String] { some { $0.text() } }

    mutating func flip() -> Bool { .random(using: &random) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func table<Value>(_ make: (inout RandomSession) -> Value) -> [String: Value] {
        Dictionary(some { ($0.text(), make(&$0)) }, uniquingKeysWith: { a, _ in a })
    }

    mutating func maybe<Value>(_ make: (inout RandomSession) -> Value) -> Value? {
        random.once(in: 2) ? make(&self) : nil
    }

    mutating func some<Value>(_ make: (inout RandomSession) -> Value) -> [Value] {
        (0..<number(0...2)).map { _ in make(&self) }
    }
}
