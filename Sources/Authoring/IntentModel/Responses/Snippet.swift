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
