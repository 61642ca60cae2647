import RDKafkaLog
import RecordLog
import Testing

@Suite("The version of librdkafka", .tags(.broker))
struct VersionTests {
    @Test(
        "supported versions are accepted",
        arguments: [0x0200_02ff, 0x0201_01ff, 0x0203_00ff, 0x020c_00ff, 0x0300_00ff] as [Int32])
    func supported(number: Int32) throws {
        try RDKafkaVersion(number: number).check()
    }

    @Test(
        "unsupported versions are refused by name",
        arguments: [
            (0x0201_00ff, "2.1.0"), (0x0201_0001, "2.1.0"), (0x0200_01ff, "2.0.1"), (0x0108_02ff, "1.8.2"),
            (0x0009_05ff, "0.9.5"),
        ] as [(Int32, String)])
    func unsupported(number: Int32, name: String) {
        let error = #expect(throws: LogError.self) { try RDKafkaVersion(number: number).check() }
        #expect(error?.code == .unsupported)
        #expect(error?.disposition == .fatal)
        #expect(error?.message.contains("librdkafka \(name) is installed") == true)
        #expect(error?.message.contains("2.1.1") == true, "it must say what to install")
    }

    @Test("the installed version is supported")
    func installed() throws {
        try RDKafkaVersion.current.check()
    }
}
