import IntentKit

/// Where payees are found. Handlers get it by `@Dependency`; a real one asks a server.
public protocol PayeeDirectory: Sendable {
    /// All who may be meant by a name.
    func payees(named name: String) async throws -> [Payee]
    /// The one with this identifier, if there still is one.
    func payee(withIdentifier identifier: String) async throws -> Payee?
}

/// A directory that is all in memory.
public struct PayeeList: PayeeDirectory {
    private let all: [Payee]

    public init(_ payees: [Payee]) { all = payees }

    public func payee(withIdentifier identifier: String) -> Payee? { all.first { $0.identifier == identifier } }

    /// Those who have all words of the name in theirs.
    public func payees(named name: String) -> [Payee] {
        let wanted = Set(TextFolding.fold(name).split(separator: " "))
        return wanted.isEmpty ? [] : all.filter { wanted.isSubset(of: TextFolding.fold($0.name).split(separator: " ")) }
    }

    /// Invented people: two Johns, one of them a favourite, and two Annas who are not.
    public static let sample = PayeeList([
        Payee("p-adler", "John Adler", isFavourite: true), Payee("p-brandt", "John Brandt"),
        Payee("p-costa", "Anna Costa"), Payee("p-dunne", "Anna Dunne"),
        Payee("p-ekman", "Mia Ekman"),
        Payee("p-fox", "Ben Fox", hasAccount: false),
        Payee("p-grau", "Lea Grau", isVerified: false),
        Payee("p-hill", "Tom Hill", handle: nil),
    ])
}
