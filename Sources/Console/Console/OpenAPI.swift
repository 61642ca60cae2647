import IntentEvents
import IntentModel
import PersonGateway
import PipelineService

/// The HTTP interface as an OpenAPI 3.1 document. The contract of the events describes the request bodies, so the two
/// can't differ.
enum OpenAPI {
    static let document: JSON = .object([
        "openapi": .string("3.1.0"),
        "info": .object([
            "title": .string("IntentPipeline console"), "version": .string(PipelineVersion.current),
            "description": .string(
                "Ask for intents, answer, and see how they go. Each POST is an event for the pipeline: 202 says that Kafka has it, and what the pipeline makes of it comes "
                    + "as events of the session. Without tokens the console serves one machine alone."),
            "license": .object(["name": .string("Apache 2.0"), "identifier": .string("Apache-2.0")]),
        ]),
        "servers": .array([.object(["url": .string("/api/v1")])]),
        "security": .array([.object(["bearer": .array([])]), .object([:])]),
        "paths": paths,
        "components": .object([
            "securitySchemes": .object([
                "bearer": .object([
                    "type": .string("http"), "scheme": .string("bearer"), "bearerFormat": .string("JWT"),
                ])
            ]),
            "schemas": members(Contract.shapes(at: place).map { ($0.name, $0.schema) } + own),
        ]),
    ])

    private static let place = "#/components/schemas/"

    private static func members(_ members: [(String, JSON)]) -> JSON {
        .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }

    private static func reference(_ name: String) -> JSON { .object(["$ref": .string(place + name)]) }

    // MARK: Shapes of the interface alone

    private static func object(_ properties: KeyValuePairs<String, JSON>, required: [String]) -> JSON {
        .object([
            "type": .string("object"), "properties": members(properties.map { ($0.key, $0.value) }),
            "required": .array(required.map { .string($0) }),
        ])
    }

    private static let text = JSON.object(["type": .string("string")])
    private static let integer = JSON.object(["type": .string("integer")])
    private static let list = JSON.object(["type": .string("array")])

    private static let own: [(String, JSON)] = [
        (
            "Problem",
            object(
                [
                    "type": text, "title": text, "status": integer, "detail": text,
                    "reason": .object(["enum": .array(RejectionReason.allCases.map { .string($0.rawValue) })]),
                    "field": text,
                ], required: ["type", "title", "status", "detail", "reason"])
        ),
        ("Started", object(["session": text, "request": text], required: ["session", "request"])),
        ("Said", object(["session": text, "event": text], required: ["session", "event"])),
        (
            "Sessions",
            object(
                [
                    "sessions": list, "next": text, "total": integer, "unsearched": integer, "kept": integer,
                ],
                required: ["sessions", "total", "kept"])
        ),
        (
            "Session",
            object(
                [
                    "session": text, "position": text, "state": reference("State"), "prompt": .object([:]),
                    "requests": list, "events": list,
                ],
                required: ["session", "position", "state", "requests", "events"])
        ),
        (
            "State",
            .object([
                "type": .string("string"), "enum": .array(FollowedSession.State.allCases.map { .string($0.rawValue) }),
            ])
        ),
    ]

    // MARK: Paths

    private static func answer(_ about: String, _ type: String, _ schema: JSON) -> JSON {
        .object(["description": .string(about), "content": .object([type: .object(["schema": schema])])])
    }

    private static func problem(_ about: String) -> JSON {
        answer(about, "application/problem+json", reference("Problem"))
    }

    private static func responses(
        _ good: [(String, JSON)], mayBeMissing: Bool = false,
        late: String = "Kafka has not taken it in time. Repeat it with the same Idempotency-Key."
    ) -> JSON {
        var all =
            good + [
                ("400", problem("Something is wrong with the request; 'field' says what.")),
                ("401", problem("A token is missing, or does not count.")),
                ("403", problem("The caller may not do this.")),
                ("503", problem(late)),
            ]
        if mayBeMissing { all.append(("404", problem("There is no such thing, or the caller may not see it."))) }
        return members(all)
    }

    private static func parameter(
        _ name: String, in place: String, _ about: String, _ schema: JSON = text, required: Bool = false
    ) -> JSON {
        .object([
            "name": .string(name), "in": .string(place), "description": .string(about), "required": .bool(required),
            "schema": schema,
        ])
    }

    private static let sessionID = JSON.object([
        "type": .string("string"), "minLength": .number(1), "maxLength": .number(128),
        "pattern": .string("^[^$/\\u0000-\\u0020\\u007f][^/\\u0000-\\u0020\\u007f]*$"),
    ])
    private static let session = parameter("session", in: "path", "The session's id.", sessionID, required: true)
    private static let key = parameter(
        "Idempotency-Key", in: "header", "The id of the event: the same key again is the same event.",
        .object([
            "type": .string("string"), "minLength": .number(1), "maxLength": .number(128),
            "pattern": .string("^[!#-~]+$"),
        ]))
    private static let reveal = parameter(
        "reveal", in: "query", "true to see values; with a token, for operators.",
        .object(["type": .string("boolean")]))
    private static let last = parameter("Last-Event-ID", in: "header", "The id of the last event that the caller has.")

    private static func get(
        _ about: String, _ good: JSON, with parameters: [JSON] = [], mayBeMissing: Bool = false,
        further: [(String, JSON)] = []
    ) -> JSON {
        .object([
            "get": .object([
                "summary": .string(about), "parameters": .array(parameters),
                "responses": responses([("200", good)] + further, mayBeMissing: mayBeMissing),
            ])
        ])
    }

    private static func stream(_ about: String, with parameters: [JSON] = []) -> JSON {
        get(about, events, with: parameters, further: [("429", problem("The caller has too many streams open."))])
    }

    private static var otherType: (String, JSON) { ("415", problem("The type is not application/json.")) }

    private static func post(_ type: EventType, _ parameters: [JSON], _ schema: JSON, _ good: JSON) -> JSON {
        let about = Contract.events(of: type).first?.about ?? type.rawValue
        return .object([
            "post": .object([
                "summary": .string(about), "parameters": .array(parameters + [key]),
                "requestBody": .object([
                    "required": .bool(true), "content": .object(["application/json": .object(["schema": schema])]),
                ]),
                "responses": responses([
                    ("202", good), ("409", problem("It does not fit the state.")),
                    ("413", problem("The body is too large.")),
                    otherType,
                    ("422", problem("The key was used for another body.")),
                ]),
            ])
        ])
    }

    /// A dead letter and the actions on it.
    private static var deadLetters: [(String, JSON)] {
        let path = "/dead-letters/{position}"
        let position = parameter(
            "position", in: "path", "partition:offset in the topic of dead letters.",
            .object(["type": .string("string"), "pattern": .string("^[0-9]{1,9}:[0-9]{1,18}$")]), required: true)
        let done = answer("Kafka has it.", "application/json", object(["position": text], required: ["position"]))
        func action(_ about: String) -> JSON {
            .object([
                "post": .object([
                    "summary": .string(about), "parameters": .array([position]),
                    // The type in the header keeps pages of other origins out.
                    "requestBody": .object([
                        "description": .string("Not read. Its type has to be named also where there is none."),
                        "content": .object(["application/json": .object(["schema": anything])]),
                    ]),
                    "responses": responses(
                        [
                            ("202", done),
                            (
                                "409",
                                problem(
                                    "It was dealt with, would be refused again, or the record is another one than the letter's."
                                )
                            ),
                            otherType,
                        ], mayBeMissing: true,
                        late:
                            "Kafka has not taken it in time, or not all of it. Look at the letter before you repeat it."
                    ),
                ])
            ])
        }
        return [
            (
                path,
                get(
                    "A dead letter with its record, for operators.",
                    answer("The letter.", "application/json", anything), with: [position, reveal], mayBeMissing: true)
            ),
            ("\(path)/replay", action("Writes the record to its topic again, for operators.")),
            ("\(path)/drop", action("Marks the letter as dealt with, for operators.")),
        ]
    }

    private static func schema(_ type: EventType) -> JSON {
        // The event that a person's channel writes. If two sides write a type, the contract has two events, and the
        // first is the person's.
        Contract.events(of: type).first.map { Contract.schema(of: $0, at: place) } ?? .object([:])
    }

    private static let events = answer("Server-sent events, each a CloudEvent.", "text/event-stream", text)
    private static let anything = JSON.object([:])

    private static var paths: JSON {
        let limit = JSON.object(["type": .string("integer"), "minimum": .number(1), "maximum": .number(200)])
        let time = JSON.object(["type": .string("string"), "format": .string("date-time")])
        let queries: [(String, JSON)] = [
            ("/me", get("Who the caller is.", answer("The principal and the roles.", "application/json", anything))),
            (
                "/overview",
                get(
                    "How the pipeline is, in figures. Persons and agents get how many of their own sessions wait.",
                    answer("Rates, waits, topics, coordinators, workers, faults.", "application/json", anything))
            ),
            ("/overview/events", stream("The same each second.")),
            (
                "/overview/history",
                get(
                    "How it was in each of the last two minutes' seconds, for observers and operators.",
                    answer(
                        "Times, and for each figure an array with a value for each time.", "application/json", anything)
                )
            ),
            (
                "/catalog",
                get(
                    "What workers serve.",
                    answer("Each intent as its service has published it.", "application/json", anything))
            ),
            (
                "/inbox",
                get(
                    "What waits for someone.",
                    answer("Approvals, questions, handoffs, dead letters.", "application/json", anything))
            ),
            (
                "/sessions",
                get(
                    "Sessions, the one that has changed last first.",
                    answer("A page.", "application/json", reference("Sessions")),
                    with: [
                        parameter(
                            "search", in: "query",
                            "In ids, owners, intents, titles, and the texts and values that the caller sees. 'unsearched' counts the sessions that 'next' searches."
                        ),
                        parameter("state", in: "query", "Only in this state.", reference("State")),
                        parameter(
                            "outcome", in: "query", "Only with a request that ended so.",
                            .object(["enum": .array(SessionQuery.outcomes.map { .string($0) })])),
                        parameter("intent", in: "query", "Only with a request of this intent."),
                        parameter("principal", in: "query", "Only of this owner; for observers and operators."),
                        parameter(
                            "from", in: "query", "Only if it was active, or its outcome came, after this time.", time),
                        parameter(
                            "until", in: "query", "Only if it was active, or its outcome came, before this time.", time),
                        parameter("waits", in: "query", "Only if it waits for at least so many seconds.", integer),
                        parameter("limit", in: "query", "How many.", limit),
                        parameter(
                            "after", in: "query", "The 'next' of the page before.",
                            .object(["type": .string("string"), "pattern": .string("^[0-9]{1,18}$")])),
                    ])
            ),
            (
                "/sessions/{session}",
                get(
                    "A session with its timeline.", answer("The session.", "application/json", reference("Session")),
                    with: [session, reveal],
                    mayBeMissing: true)
            ),
            (
                "/sessions/{session}/requests/{request}/steps",
                get(
                    "How a request was worked on, for observers and operators. Kafka is read for it.",
                    answer(
                        "Each dispatch of a phase: its attempt, worker, duration in ms and code. 'trace' is the id of the trace.",
                        "application/json", anything),
                    with: [session, parameter("request", in: "path", "The request's id.", required: true), reveal],
                    mayBeMissing: true)
            ),
            ("/sessions/{session}/events", stream("The events of a session as they come.", with: [session, last])),
            ("/events", stream("The events of all sessions that the caller may see.", with: [last])),
        ]
        let request = JSON.object([
            "allOf": .array([
                schema(.requested),
                object(
                    ["session": .object(["anyOf": .array([sessionID, .object(["type": .string("null")])])])],
                    required: []),
            ])
        ])
        let sends = SayRoutes.events.map { path, type, _ in
            (
                "/sessions/{session}/\(path)",
                post(type, [session], schema(type), answer("Kafka has it.", "application/json", reference("Said")))
            )
        }
        let start = post(.requested, [], request, answer("Kafka has it.", "application/json", reference("Started")))
        return members(queries + deadLetters + [("/requests", start)] + sends)
    }
}
