import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the page and the published documents, which are embedded in the program.
struct PageFiles: Sendable {
    private let files: [String: (type: String, bytes: ByteBuffer)]

    init() {
        files = Dictionary(
            uniqueKeysWithValues: EmbeddedFiles.texts.map { name, text in
                (
                    name,
                    (
                        Self.types[name.split(separator: ".").last.map(String.init) ?? ""]
                            ?? "application/octet-stream",
                        ByteBuffer(string: text)
                    )
                )
            })
    }

    func add(to router: Router<ConsoleContext>) {
        router.get("/") { _, _ in try answer("index.html") }
        router.get("/:file") { _, context in try answer(try context.parameters.require("file")) }
        router.get("/api/v1/openapi.json") { _, _ in Response(json: OpenAPI.document) }
        router.get("/api/v1/asyncapi.json") { _, _ in try answer("asyncapi.json") }
    }

    private func answer(_ name: String) throws -> Response {
        guard let file = files[name] else { throw HTTPProblem.notFound("file '\(name)'") }
        return Response(status: .ok, headers: [.contentType: file.type], body: ResponseBody(byteBuffer: file.bytes))
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
        "json": "application/json",
    ]
}
