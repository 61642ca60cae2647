import Conversation
import IntentModel
import MessageAuthentication
import Pipeline
import RecordLog

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
    if let address = DeferredOutcomeAddress(text) {
        require(DeferredOutcomeAddress(address.description) == address, "an address is read as it was written")
    }
    if let bytes = Base64URL.decode(text[...]) {
        require(Base64URL.encode(bytes) == text, "there is one text for the bytes")
    }
    require(Base64URL.decode(Base64URL.encode(input)[...]) == input, "bytes are read as they were written")
    if let bytes = Hexadecimal.decode(text) {
        require(Hexadecimal.encode(bytes) == text, "there is one text for the bytes")
    }
    require(Hexadecimal.decode(Hexadecimal.encode(input)) == input, "bytes are read as they were written")
    if let ticket = Ticket(text) { require(ticket.description == text, "there is one text for a ticket") }
    let key = [UInt8](repeating: 7, count: AESGCM.keyByteCount)
    require(AESGCM.open(input, key: key, context: []) == nil, "no one but the keeper of a key seals")
    for count: Int32 in [1, 12, .max] {
        require(0..<count ~= Murmur2.partition(of: input, count: count), "a key has a partition")
    }
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let request = RequestSignature(
        target: "/handle", idempotencyKey: "s/r", body: Array((lines.count > 1 ? lines[1] : "").utf8))
    require(
        request.time(of: String(lines.first ?? ""), secret: "secret") == nil, "no one but the keeper of a secret signs")
    require(
        request.time(of: request.value(secret: "secret", seconds: 1), secret: "secret") == 1, "a signature is valid")
}

/// Decodes the URL of a service, redirects from the URL, and the hosts that an operator allows.
func decodeURL(_ input: [UInt8]) {
    let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
    for line in lines.prefix(8) {
        if let address = IPAddress(line) { require(4...16 ~= address.bytes.count, "an address has 4 or 16 bytes") }
        if let network = IPNetwork(parsing: line) {
            require(network.contains(network.address), "a network contains its own address")
        }
        _ = HeaderRules.violation(line, lines[0])
        require(
            !HeaderRules.printable(line).utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "a header's value is printable")
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
        require(
            again == url, "a URL is read as it was written: '\(text)' became '\(url.text)' and then '\(again.text)'")
    } catch {
        require(!error.message.isEmpty && !error.message.hasControlCharacters, "a URL that is refused is told why")
    }
}
