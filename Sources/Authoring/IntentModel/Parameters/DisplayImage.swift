/// A picture of a value (App Intents: `DisplayRepresentation.Image`). The person's side has the picture or can fetch
/// it; the pipeline only passes on the picture's name.
public enum DisplayImage: Sendable, Hashable {
    /// A symbol that the person's side knows by this name, such as an SF Symbol.
    case systemName(String)
    /// A picture that comes with the app.
    case named(String)
    /// A picture at this address.
    case url(String)
}

extension DisplayImage {
    /// An object with one member, named after the case.
    package var json: JSON {
        switch self {
        case .systemName(let name): .object(["systemName": .string(name)])
        case .named(let name): .object(["named": .string(name)])
        case .url(let address): .object(["url": .string(address)])
        }
    }

    /// `nil` if the JSON has none of the members.
    package init?(_ view: JSONView) {
        if let name = view["systemName"]?.string {
            self = .systemName(name)
        } else if let name = view["named"]?.string {
            self = .named(name)
        } else if let address = view["url"]?.string {
            self = .url(address)
        } else {
            return nil
        }
    }
}
