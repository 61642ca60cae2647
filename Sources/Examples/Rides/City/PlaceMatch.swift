public import IntentKit

/// What ``City/find(_:)`` makes of a person's words.
public enum PlaceMatch: Sendable, Hashable {
    case exactly(Place)
    /// Two to five places go by these words.
    case oneOf([Place])
    /// Misspelt, or only part of a name.
    case maybe(Place)
    case unknown
}
