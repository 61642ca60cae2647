import IntentKit

/// Finds payees. A directory in production queries a server.
public protocol PayeeDirectory: Sendable {
    /// All payees with a matching name.
    func payees(named name: String) async throws -> [Payee]
    /// The payee with this identifier; `nil` if it no longer exists.
    func payee(withIdentifier identifier: String) async throws -> Payee?
}

/// A directory in memory.
public struct PayeeList: PayeeDirectory {
    private let all: [Payee]

    public init(_ payees: [Payee]) { all = payees }

    public func payee(withIdentifier identifier: String) -> Payee? { all.first { $0.identifier == identifier } }

    /// The payees whose name contains all words of the given name.
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
