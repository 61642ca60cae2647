import Conversation
import IntentEvents
import IntentModel

/// The intents of the catalogue as tools.
struct ToolList: Sendable {
    struct Tool: Sendable {
        var name: String
        var intent: Identifier
        var published: PublishedIntent?
        /// The parameters whose values must not go through a model.
        var secrets: Set<String>
    }

    /// An intent, and the description that its service has published.
    typealias Served = (intent: Identifier, published: PublishedIntent?)

    static let reply = "intent_reply"
    static let status = "intent_status"
    private static let maximumName = 128

    /// The tools, sorted by name.
    let tools: [Tool]

    private let settings: AgentSettings

    init(_ entries: [Served], _ settings: AgentSettings) {
        self.settings = settings
        var taken: Set<String> = [Self.reply, Self.status]
        // Intents whose name is a valid tool name come first, so that no other intent gets their names.
        let ordered = entries.filter { Self.isPlain($0.intent) } + entries.filter { !Self.isPlain($0.intent) }
        tools = ordered.map { entry in
            let name =
                Self.isPlain(entry.intent) && !taken.contains(entry.intent.text)
                ? entry.intent.text : Self.name(for: entry.intent)
            taken.insert(name)
            return Tool(
                name: name, intent: entry.intent, published: entry.published,
                secrets: SecretParameters.names(of: entry.published))
        }.sorted { $0.name < $1.name }
    }

    subscript(name: String) -> Tool? { tools.first { $0.name == name } }

    /// The tools as JSON, which differ after each change of the list.
    var fingerprint: [JSON] { tools.map(\.json) }

    private static func isPlain(_ intent: Identifier) -> Bool {
        1...maximumName ~= intent.utf8.count && intent.utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Returns a name that the protocol allows and that no other intent has.
    private static func name(for intent: Identifier) -> String {
        let allowed = intent.utf8.map { isAllowed($0) ? $0 : UInt8(ascii: "_") }
        return "\(String(decoding: allowed.prefix(100), as: UTF8.self))-\(intent.text.digest)"
    }

    // MARK: The list

    private static let pageSize = 100

    /// - Parameter cursor: `nextCursor` of the previous page.
    /// - Throws: ``RPCError`` if `cursor` is longer than the name of a tool can be.
    func page(after cursor: String?) throws(RPCError) -> (tools: [JSON], next: String?) {
        guard cursor?.utf8.count ?? 0 <= Self.maximumName else {
            throw RPCError(.invalidParams, "'cursor' is what 'nextCursor' of the page before has said")
        }
        let rest = tools.filter { $0.name > cursor ?? "" }
        let page = rest.prefix(Self.pageSize)
        let hasMore = rest.count > page.count
        return (page.map(\.json) + (hasMore ? [] : [replyTool, statusTool]), hasMore ? page.last?.name : nil)
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = Int(duration / .seconds(1))
        return seconds >= 60 && seconds.isMultiple(of: 60) ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private var handle: JSON {
        let use = "The handle that a result has given, as it is. It can be used for \(Self.text(settings.lifetime))."
        return .object(["type": .string("string"), "description": .string(use)])
    }

    private var replyTool: JSON {
        .object([
            "name": .string(Self.reply), "title": .string("Answer a question"),
            "description": .string(
                """
                Answers the question of a result with the status input_required, with what the person has said. Values are named as in its \
                requestedSchema. It can't agree for the person: where they have to agree, they do it themselves.
                """),
            "inputSchema": .object([
                "type": .string("object"),
                "properties": .object([
                    "handle": handle,
                    "action": .object([
                        "type": .string("string"),
                        "enum": .array([.string("accept"), .string("decline"), .string("cancel")]),
                        "description": .string(
                            "accept: here are the values; decline: no, or none of these; cancel: give up the whole request."
                        ),
                    ]),
                    "values": .object([
                        "type": .string("object"),
                        "description": .string("With accept: a value for each field that the person has filled in."),
                    ]),
                    "utterance": .object([
                        "type": .string("string"), "maxLength": .number(Utterance.lengths.upperBound),
                        "description": .string(
                            "Instead of values: what the person has said, in their words, such as 'the second one'."),
                    ]),
                    "search": .object([
                        "type": .string("string"),
                        "description": .string("Instead of an answer: words to search the options for."),
                    ]),
                ]),
                "required": .array([.string("handle")]), "additionalProperties": .bool(false),
            ]),
            "outputSchema": Self.outputSchema,
            "annotations": .object(["destructiveHint": .bool(true), "openWorldHint": .bool(true)]),
        ])
    }

    private var statusTool: JSON {
        .object([
            "name": .string(Self.status), "title": .string("Look how a request is"),
            "description": .string(
                "Waits for up to \(Self.text(settings.patience)) until a request that goes on has ended, or needs something, and says how it is. Changes nothing."
            ),
            "inputSchema": .object([
                "type": .string("object"), "properties": .object(["handle": handle]),
                "required": .array([.string("handle")]),
                "additionalProperties": .bool(false),
            ]),
            "outputSchema": Self.outputSchema,
            "annotations": .object([
                "readOnlyHint": .bool(true), "idempotentHint": .bool(true), "openWorldHint": .bool(true),
            ]),
        ])
    }

    fileprivate static let outputSchema = JSON.object([
        "type": .string("object"),
        "properties": .object([
            "status": .object([
                "type": .string("string"),
                "description": .string(
                    """
                    success, failure, cancelled, timedOut, unsupported, deferredToApp or rejected; working: it goes on, and intent_status with the \
                    handle waits for it; input_required: something has to be answered or agreed to
                    """),
            ]),
            "code": .object(["type": .string("string")]), "handle": .object(["type": .string("string")]),
            "message": .object(["type": .string("string")]), "requestedSchema": .object(["type": .string("object")]),
            "parameters": .object(["type": .string("object")]), "response": .object(["type": .string("object")]),
            "items": .object(["type": .string("array")]), "results": .object(["type": .string("array")]),
            "undo": .object(["type": .string("object")]), "error": .object(["type": .string("object")]),
            "url": .object(["type": .string("string")]), "session": .object(["type": .string("string")]),
        ]),
        "required": .array([.string("status")]),
    ])
}

extension ToolList.Tool {
    var json: JSON {
        let details = published?.details ?? [:]
        let isConfirmed = details["confirmation"]?.view.string != "never"
        return .make { writer in
            writer.beginObject()
            writer.member("name", name)
            writer.member("title", (published?.title ?? intent.text).shown(200))
            writer.member("description", description(details, isConfirmed))
            writer.member("inputSchema", inputSchema)
            writer.member("outputSchema", ToolList.outputSchema)
            writer.member(
                "annotations",
                .object([
                    "readOnlyHint": .bool(false), "destructiveHint": .bool(isConfirmed), "idempotentHint": .bool(false),
                    "openWorldHint": .bool(true),
                ]))
            writer.endObject()
        }
    }

    private func description(_ details: [String: JSON], _ isConfirmed: Bool) -> String {
        var sentences = [details["description"]?.view.string ?? published?.title ?? intent.text]
        sentences.append(
            "Pass on what the person has said, in their words if need be; what is missing or ambiguous is asked.")
        if isConfirmed { sentences.append("The person is asked to agree before it is done.") }
        if !secrets.isEmpty {
            sentences.append(
                "Secret values (\(secrets.sorted().joined(separator: ", "))) are entered by the person only.")
        }
        return sentences.joined(separator: " ").shown(2_000)
    }

    /// The schema of the request, without secrets.
    private var inputSchema: JSON {
        guard let schema = published?.details["schemas"]?.view["request"], schema["type"]?.string == "object" else {
            return .object(["type": .string("object")])
        }
        if secrets.isEmpty { return schema.json }
        return .make { writer in
            writer.beginObject()
            for (name, value) in schema.members {
                switch name {
                case "properties":
                    writer.name("properties")
                    writer.beginObject()
                    for (name, value) in value.members where !secrets.contains(name) {
                        writer.member(named: name, value.json)
                    }
                    writer.endObject()
                case "required":
                    writer.member(
                        "required", .array(value.elements.filter { !secrets.contains($0.string ?? "") }.map(\.json)))
                default: writer.member(named: name, value.json)
                }
            }
            writer.endObject()
        }
    }
}
