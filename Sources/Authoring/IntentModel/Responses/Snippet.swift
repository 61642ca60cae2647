/// A card that the person's side may show beside the words, with a title, a picture and lines. App Intents uses a view
/// of the app instead.
public struct Snippet: Sendable, Hashable {
    /// A line of a card, such as "Driver" and "Mia".
    public struct Line: Sendable, Hashable {
        public var title: String
        public var text: String

        package init(plain title: String, _ text: String) {
            self.title = title
            self.text = text
        }
    }

    public var title: String
    public var subtitle: String?
    public var image: DisplayImage?
    /// The lines of the card; at most 32.
    public var lines: [Line]

    package init(plain title: String, subtitle: String? = nil, image: DisplayImage? = nil, lines: [Line] = []) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.lines = lines
    }

    package static let maximumLines = 32
}

extension Snippet {
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("title", title)
        writer.member("subtitle", ifPresent: subtitle)
        if let image { writer.member("image", image.json) }
        if !lines.isEmpty {
            writer.name("lines")
            writer.beginArray()
            for line in lines {
                writer.beginObject()
                writer.member("title", line.title)
                writer.member("text", line.text)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Reads a card; `nil` if it lacks a title.
    package init?(_ view: JSONView) {
        guard let title = view["title"]?.string else { return nil }
        let lines = (view["lines"]?.elements ?? []).prefix(Self.maximumLines).compactMap { line -> Line? in
            guard let title = line["title"]?.string, let text = line["text"]?.string else { return nil }
            return Line(plain: title, text)
        }
        self.init(
            plain: title, subtitle: view["subtitle"]?.string, image: view["image"].flatMap(DisplayImage.init),
            lines: lines)
    }
}
