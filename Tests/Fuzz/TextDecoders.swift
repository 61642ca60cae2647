import Conversation
import Foundation
import IntentEvents
import IntentFiles
import IntentKit
import IntentModel
import IntentRuntime
import MCPServer
import MessageAuthentication
import Pipeline
import RDKafkaLog
import RecordLog

/// Decodes text that people and files write: templates, times, durations, language tags, numbers in words.
func decodeText(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    _ = LocalizedFormat.parts(of: text)
    _ = LocalizedText(key: text).text(in: text)
    _ = LanguageTag.first(for: text) { $0 == "nl" ? $0 : nil }
    _ = SpokenNumber.parseDouble(text)
    let folded = TextFolding.fold(text)
    require(
        TextFolding.fold(folded) == folded,
        "folding is idempotent: '\(text)', '\(folded)', '\(TextFolding.fold(folded))'")
    require(!text.onOneLine.hasControlCharacters, "a line has no control characters")
    require(!text.printable.hasControlCharacters, "what is printable has no control characters")
    require(
        !text.withoutControlCharacters.unicodeScalars.contains { $0.isControl && $0 != "\n" },
        "what is shown has no control characters")
    if let instant = Instant(rfc3339: text) { requireSame(Instant(rfc3339: instant.description), instant) }
    if let duration = DurationText.parse(text) {
        require(abs(duration.components.seconds) <= 10_000_000_000_000, "a length of time is bounded")
        _ = start.advanced(by: duration)
    }
    _ = Duration(compact: text).map { start.advanced(by: $0) }
}

/// Decodes JSON as the value of a parameter. The first byte selects the type. A value that was read and written reads
/// the same, because every phase may run in another process.
func decodeValue(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let rest = Array(input.dropFirst())
    // Any text is a value too.
    let json = (try? JSON(parsing: rest)) ?? .string(String(decoding: rest, as: UTF8.self))
    valueTypes[Int(first) % valueTypes.count](json)
}

let valueTypes: [@Sendable (JSON) -> Void] = [
    { check(Bool.self, $0) }, { check(Int.self, $0) }, { check(Double.self, $0) }, { check(Decimal.self, $0) },
    { check(String.self, $0) }, { check(Date.self, $0) }, { check(Duration.self, $0) }, { check(URL.self, $0) },
    { check(IntentKit.Measurement<IntentKit.UnitLength>.self, $0) },
    { check(IntentKit.Measurement<IntentKit.UnitTemperature>.self, $0) }, { check(Place.self, $0) },
    { check(Person.self, $0) }, { check(IntentFile.self, $0) }, { check(CurrencyAmount.self, $0) },
    { check(PaymentMethod.self, $0) }, { check(DateRange.self, $0) }, { check(RecurrenceRule.self, $0) },
    { check([Int].self, $0) }, { check(Set<String>.self, $0) }, { check([Person].self, $0) },
]

private func check<Value: ParameterValue>(_ type: Value.Type, _ json: JSON) {
    guard let value = ParameterConversion<Value>.standard.read(json.view) else { return }
    _ = (value.displayText, value.optionID, value.displayRepresentation)
    let written = JSON(value)
    guard (try? JSON(parsing: written.bytes, limits: .journal)) == written else {
        return require(false, "a \(type) is written as JSON: \(json) became \(written)")
    }
    guard let again = ParameterConversion<Value>.standard.read(written.view) else {
        return require(false, "a \(type) can be read as it was written: \(json) became \(written)")
    }
    require(again == value, "a \(type) is read as it was written: \(json) became \(written)")
}

/// Decodes a service's reply to a phase, or its post to a callback URL.
func decodeReply(_ input: [UInt8]) {
    func check(_ read: () throws(OutcomeError) -> Void) {
        do throws(OutcomeError) { try read() } catch {
            require(!error.message.isEmpty, "a reply that is refused is told why")
            require(!error.message.withoutControlCharacters.isEmpty, "what it is told can be shown")
        }
    }
    check { () throws(OutcomeError) in _ = try FulfilmentReply.resolution(try FulfilmentReply.object(input)) }
    for phase in [Phase.confirm, .handle] {
        check { () throws(OutcomeError) in
            let response = try FulfilmentReply.response(try FulfilmentReply.object(input), phase: phase)
            require(FulfilmentReply.violation(response.code, phase) == nil, "a phase ends with a code of its own")
        }
    }
}

/// Decodes the parts of a callback URL, signatures, and other texts of digits. The first line is the address or the
/// signature, and the rest is the signed body.
func decodeCallback(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let address = DeferredOutcomeAddress(text) { requireSame(DeferredOutcomeAddress(address.description), address) }
    if let bytes = Base64URL.decode(text[...]) { require(Base64URL.encode(bytes) == text, "bytes have one text") }
    requireSame(Base64URL.decode(Base64URL.encode(input)[...]), input)
    if let bytes = Hexadecimal.decode(text) { require(Hexadecimal.encode(bytes) == text, "bytes have one text") }
    requireSame(Hexadecimal.decode(Hexadecimal.encode(input)), input)
    if let ticket = Ticket(text) { require(ticket.description == text, "there is one text for a ticket") }
    let key = [UInt8](repeating: 7, count: AESGCM.keyByteCount)
    require(AESGCM.open(input, key: key, context: []) == nil, "no one but the keeper of a key seals")
    for count: Int32 in [1, 12, .max] {
        require(0..<count ~= Murmur2.partition(of: input, count: count), "a key has a partition")
    }
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let request = RequestSignature(
        target: "/handle", idempotencyKey: "s/r", body: Array((lines.count > 1 ? lines[1] : "").utf8))
    require(request.time(of: String(lines.first ?? ""), secret: "secret") == nil, "only the keeper of a secret signs")
    require(request.time(of: request.value(secret: "secret", seconds: 1), secret: "secret") == 1, "a signature holds")
}

/// Decodes the URL of a service, redirects from the URL, and the hosts that an operator allows.
func decodeURL(_ input: [UInt8]) {
    let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
    for line in lines.prefix(8) {
        if let address = IPAddress(line) { require(4...16 ~= address.bytes.count, "an address has 4 or 16 bytes") }
        if let network = IPNetwork(parsing: line) {
            require(network.contains(network.address), "a network has its own address")
        }
        _ = HeaderRules.violation(line, lines[0])
        require(!HeaderRules.printable(line).utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a header is printable")
    }
    let first = lines.first ?? ""
    check(first) { () throws(FulfilmentURL.Problem) in try FulfilmentURL(first) }
    check(first) { () throws(FulfilmentURL.Problem) in
        try FulfilmentURL(filling: first, intent: lines.last ?? "", phase: .handle)
    }
    guard let from = try? FulfilmentURL(first) else { return }
    for line in lines.dropFirst().prefix(4) {
        check(line) { () throws(FulfilmentURL.Problem) in try from.redirected(to: line) }
    }
}

private func check(_ text: String, _ read: () throws(FulfilmentURL.Problem) -> FulfilmentURL) {
    do {
        let url = try read()
        require(!url.text.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a URL is printable: '\(url.text)'")
        let again = try FulfilmentURL(url.text)
        require(again == url, "a URL is read as written: '\(text)' became '\(url.text)', then '\(again.text)'")
    } catch {
        require(!error.message.isEmpty && !error.message.hasControlCharacters, "a URL that is refused is told why")
    }
}

/// Decodes a definition file and, after the byte 0x1E, the catalogue that the file names. The first byte of a JSON file
/// is a brace.
func decodeDefinition(_ input: [UInt8]) {
    let parts = input.split(separator: FuzzedRecords.separator, maxSplits: 1, omittingEmptySubsequences: false)
    let name = input.first == UInt8(ascii: "{") ? "fuzz.intents.json" : "fuzz.intents.yaml"
    do {
        let files = try DefinitionFiles([(name, Array(parts[0]))]) { _, _ in parts.count > 1 ? Array(parts[1]) : [] }
        require(files.changes(since: files).isEmpty, "a file does not differ from itself")
        do { _ = try IntentRegistry([], declared: files.declarations) } catch {
            require(!"\(error)".isEmpty, "a declaration that is refused is told why")
        }
    } catch {
        require(!error.problems.isEmpty, "a file that is refused has a problem")
        for problem in error.problems { require(!problem.message.isEmpty, "a problem says what is wrong") }
    }
}

func decodeTranslations(_ input: [UInt8]) {
    do { _ = try LocalizedTable(json: input).languages } catch {
        require(!error.message.isEmpty, "a table that is refused is told why")
    }
}

func decodeProperties(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    do {
        let properties = try KafkaConfiguration.properties(parsing: text)
        for (name, value) in properties {
            require(!name.isEmpty, "a property has a name")
            require(!name.contains(where: \.isNewline) && !value.contains(where: \.isNewline), "a property is a line")
            _ = KafkaConfiguration.isSecret(name)
        }
    } catch { require(!error.message.isEmpty, "a file that is refused is told why") }
    do { _ = try KafkaConfiguration.property(parsing: text) } catch {
        require(!error.message.isEmpty, "an argument that is refused is told why")
    }
}

/// Decodes a message of an agent's host, and the sealed state that the host returns.
func decodeRPC(_ input: [UInt8]) {
    do throws(RPCError) {
        if case .request(let id, _, let params) = try RPCMessage(parsing: input) {
            require(id.bytes.count <= 256, "an id is short")
            require(params.map { $0.kind == .object } ?? true, "params are an object")
        }
    } catch {
        require(!error.message.withoutControlCharacters.isEmpty, "a message that is refused is told why")
        require((try? JSONView(parsing: RPCMessage.error(nil, error).bytes)) != nil, "the reply is JSON")
    }
    let text = String(decoding: input, as: UTF8.self)
    let (key, other) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
    func opens(_ text: String, _ key: [UInt8], purpose: String = "p") -> AgentPlace? {
        try? AgentPlace(unsealing: text, with: key, for: nil, purpose: purpose, at: Instant(milliseconds: 0))
    }
    require(opens(text, key) == nil, "no one but the keeper of a key seals")
    let place = AgentPlace(session: Identifier(text), request: "r", asked: text, expires: Instant(milliseconds: 5_000))
    let sealed = place.sealed(with: key, for: nil, purpose: "p")
    if sealed.utf8.count <= 2_048 { require(opens(sealed, key) == place, "a place is read as it was sealed") }
    require(opens(sealed, other) == nil && opens(sealed, key, purpose: "q") == nil, "a place has one key and purpose")
}

/// Decodes a worker's prompt and, after a separator, the values entered in the prompt's form.
func decodeForm(_ input: [UInt8]) {
    let parts = input.split(separator: FuzzedRecords.separator, maxSplits: 1, omittingEmptySubsequences: false).map(
        Array.init)
    guard let prompt = try? JSONView(parsing: parts[0], limits: .journal), prompt.kind == .object,
        let form = PromptForm(.init(id: "p", prompt: prompt.json))
    else { return }
    let entered = parts.count > 1 ? try? JSONView(parsing: parts[1]) : nil
    for dialect in [FormField.Dialect.titled, .named] {
        require((try? JSONView(parsing: form.schema(dialect).bytes, limits: .journal)) != nil, "a schema is JSON")
        do throws(AgentProblem) {
            if case .answer(let answer) = try form.read(entered, dialect: dialect) {
                require(answer.view.kind == .object, "an answer is an object")
            }
        } catch { require(!error.message.isEmpty, "what does not fit is told") }
    }
}
