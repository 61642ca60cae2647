import IntentModel

/// A `fulfilment` block whose members an intent's own block may override.
struct PartialFulfilment {
    var url: String?
    var declaration = FulfilmentDeclaration(url: "")
    /// The block itself, for reports of missing members.
    var field: Field?
}

enum FulfilmentReader {
    /// - Parameter partial: The settings of the whole file.
    static func read(_ field: Field, over partial: PartialFulfilment) -> PartialFulfilment {
        var partial = partial
        partial.field = field
        guard let members = field.members(.fulfilment) else { return partial }
        for (name, member) in members { partial.declaration.places.members[name] = member.mark }
        if let url = members["url"] { partial.url = self.url(url) ?? "" }
        if let phases = members["phases"] {
            let read = phases.oneOrMore.compactMap { phase -> Phase? in
                if phase.scalar == "resolve" {
                    phase.refuse(
                        "resolve is not asked for as a whole: write 'resolve: fulfilment' at the parameters that it is to decide about"
                    )
                    return nil
                }
                return phase.choice(["confirm", "handle"]).flatMap { Phase(rawValue: $0) }
            }
            partial.declaration.phases = Set(read).union([.handle])
        }
        if let value = members["timeout"]?.duration(atLeast: .milliseconds(1), atMost: .seconds(3_600)) {
            partial.declaration.timeout = value
        }
        if let retries = members["retries"] {
            partial.declaration.retries = self.retries(retries, over: partial.declaration.retries)
        }
        if let secret = members["secret"] { partial.declaration.secretVariable = variable(secret) }
        if let value = members["maximumResponseBytes"]?.int(1...262_144) {
            partial.declaration.maximumResponseBytes = value
        }
        if let value = members["redirects"]?.int(0...5) { partial.declaration.redirects = value }
        if let headers = members["headers"] {
            for (name, value) in self.headers(headers) { partial.declaration.headers[name] = value }
        }
        return partial
    }

    /// - Returns: `nil` if the URL is missing.
    static func declaration(_ partial: PartialFulfilment) -> FulfilmentDeclaration? {
        guard let url = partial.url else {
            partial.field?.refuse("'url' is missing: where are intents posted?")
            return nil
        }
        var declaration = partial.declaration
        declaration.url = url
        return declaration
    }

    // MARK: Parts of a fulfilment

    private static func url(_ field: Field) -> String? {
        guard let text = field.text("a URL such as https://rides.example.com/intents") else { return nil }
        let rest = ["https://", "http://"].lazy.compactMap { text.hasPrefix($0) ? text.dropFirst($0.count) : nil }.first
        guard let rest, let host = rest.split(separator: "/", omittingEmptySubsequences: false).first, !host.isEmpty,
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
        else { return field.refuse(expecting: "a URL such as https://rides.example.com/intents") }
        if host.contains("@") || host.contains("{") {
            field.refuse("the host stands in the URL as it is, without a user and without a placeholder")
            return nil
        }
        if text.contains("#") {
            field.refuse("a URL that is posted to has no '#'")
            return nil
        }
        let others = text.replacing("{intent}", with: "").replacing("{phase}", with: "")
        if others.contains("{") || others.contains("}") {
            field.refuse("the only placeholders are {intent} and {phase}")
            return nil
        }
        return text
    }

    private static func retries(_ field: Field, over policy: RetryPolicy) -> RetryPolicy {
        var policy = policy
        guard let members = field.members(.fulfilmentRetries) else { return policy }
        if let value = members["attempts"]?.int(1...20) { policy.maximumAttempts = value }
        if let value = members["firstDelay"]?.duration(atMost: .seconds(3_600)) { policy.firstDelay = value }
        if let value = members["factor"]?.number(1...100) { policy.factor = value }
        if let value = members["maximumDelay"]?.duration(atMost: .seconds(3_600)) { policy.maximumDelay = value }
        return policy
    }

    private static func variable(_ field: Field) -> String? {
        guard field.isMapping else {
            field.refuse(
                "a secret never stands in the file: name the environment variable that it is in, {env: RIDES_SECRET}")
            return nil
        }
        guard let members = field.members(.secret) else { return nil }
        guard let env = members["env"] else {
            field.refuse("'env' is missing: which environment variable is the secret in?")
            return nil
        }
        guard let name = env.text("the name of an environment variable") else { return nil }
        let isName =
            name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } && name.first?.isNumber != true
        if !isName { return env.refuse(expecting: "the name of an environment variable") }
        return name
    }

    private static let reserved: Set<String> = [
        "content-type", "content-length", "transfer-encoding", "host", "connection", "idempotency-key",
        "x-intent-signature", "traceparent",
    ]

    private static func headers(_ field: Field) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in field.entries("a mapping of headers by their names") ?? [] {
            let marks = Set("!#$%&'*+-.^_`|~")
            if name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }) {
                value.refuse("'\(name)' can't be the name of a header")
            } else if reserved.contains(name.lowercased()) {
                value.refuse("'\(name)' is a header that the pipeline sets itself: leave it out")
            } else if let text = value.text() {
                if text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F }) {
                    headers[name] = text
                } else {
                    value.refuse("the value of a header has to be one line of ASCII")
                }
            }
        }
        return headers
    }
}
