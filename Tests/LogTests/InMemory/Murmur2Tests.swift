import RecordLog
import Testing

@Suite("Murmur2")
struct Murmur2Tests {
    @Test(
        "hashes as Kafka's own tests expect",
        arguments: [
            ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            ("abc", 479_470_107),
        ] as [(String, Int32)])
    func knownHashes(key: String, hash: Int32) {
        #expect(Murmur2.hash(Bytes(key.utf8)) == hash)
    }

    @Test("the partition is the hash without its sign, modulo the count")
    func partitions() {
        #expect(Murmur2.partition(of: Bytes("21".utf8), count: 12) == (-973_932_308 & 0x7fff_ffff) % 12)
        #expect(Murmur2.partition(of: Bytes("abc".utf8), count: 4) == 479_470_107 % 4)
        #expect((0..<1_000).allSatisfy { (0..<7).contains(Murmur2.partition(of: Bytes("\($0)".utf8), count: 7)) })
    }

    @Test("keys of any length and any bytes have a partition, including the empty key")
    func oddKeys() {
        for length in 0...9 {
            #expect((0..<3).contains(Murmur2.partition(of: Bytes(repeating: 0xff, count: length), count: 3)))
        }
    }
}
