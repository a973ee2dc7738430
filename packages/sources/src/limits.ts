/** Limits of sources, each with its unit and the reason for it. */
export const limits = {
  syslog: {
    /** Bytes of a message: events of Windows in JSON stay below it. */
    messageBytesMax: 262_144,
    /** Bytes of a buffer that the kernel is asked for; it may give less. */
    receiveBufferBytes: 8_388_608,
    /** Datagrams of one source address in a second, and addresses that are counted. */
    sourceMessagesPerSecondMax: 20_000,
    sourcesCountedMax: 10_000,
    /** Milliseconds after which a message without an end is one, a connection is closed that sends nothing, and a handshake. */
    restMs: 2_000,
    idleMs: 7_200_000,
    handshakeMs: 10_000,
  },
  polling: {
    /** Milliseconds and bytes of one page, as received and inflated: it is held in memory. */
    pageMs: 30_000,
    pageBytesMax: 8_388_608,
    /** Bytes of a response that is a token or only looked at; of a longer page the rest is cut off. */
    probeBytesMax: 65_536,
    /** Pages of one poll; the rest waits for the next one, so that a source cannot occupy us forever. */
    pagesMax: 100,
    /** Characters of a cursor, and event ids of the last page that are stored with it. */
    cursorLengthMax: 2_048,
    seenMax: 10_000,
    /** Characters of an access token, depth of the response that has it, and milliseconds before its end at which it is renewed. */
    tokenLengthMax: 16_384,
    tokenDepthMax: 66,
    tokenEarlyMs: 30_000,
    /** Milliseconds after a failed poll, doubled each time up to a maximum, and the maximum for Retry-After. */
    retryMs: 1_000,
    retryMsMax: 300_000,
    retryAfterMsMax: 3_600_000,
  },
  broker: {
    /** Servers of a connection that are tried one after the other, and characters of one. */
    serversMax: 32,
    serverLengthMax: 300,
    /** Milliseconds until a connection is up with its login, and until a request is answered. */
    connectMs: 5_000,
    requestMs: 10_000,
    /** Messages that are made durable together, and bytes that are asked for at once: they are held in memory. */
    batchMessagesMax: 500,
    batchBytesMax: 16_777_216,
    /** Bytes of a message or response that a broker may announce; a connection that announces more is closed. */
    frameBytesMax: 33_554_432,
    /** Bytes of a line of the protocol, such as the description of a cluster. */
    lineBytesMax: 1_048_576,
    /** Milliseconds between two signs of life to the broker while messages wait to be durable. */
    aliveMs: 3_000,
    /** Milliseconds after which NATS delivers again what had no sign of life. */
    ackWaitMs: 15_000,
    /** Milliseconds for which a request for new messages stays open. */
    pollMs: 30_000,
    /** Milliseconds after a failed connection, doubled each time up to a maximum. */
    retryMs: 1_000,
    retryMsMax: 60_000,
    /** Bytes that one partition of Kafka and all of them give at once, and that they inflate to: logs shrink to a fiftieth or less. */
    partitionBytesMax: 1_048_576,
    fetchBytesMax: 2_097_152,
    inflatedBytesMax: 268_435_456,
    /** Milliseconds before the client of Kafka repeats a request. */
    firstRetryMs: 300,
    /** Messages of a test that are shown, and milliseconds in which they are looked for. */
    sampleMax: 3,
    sampleMs: 6_000,
  },
  scanner: {
    /** Entries of one page: what scanners document as their most. */
    pageSize: 500,
    /** Pages that are asked for at once where pages have numbers, and requests about single assets. */
    parallelPages: 4,
    parallelAssets: 8,
    /** Assets from which on an export is asked for in place of pages. */
    exportFrom: 10_000,
    /** Bytes of a response, and of a file of an export, which is held in memory. */
    responseBytesMax: 67_108_864,
    exportFileBytesMax: 268_435_456,
    /** Rows of an export that are read at once. */
    exportRowsMax: 5_000,
    /** Attempts of a request that failed in a way that may pass, and milliseconds before the second; each doubles them. */
    attemptsMax: 6,
    retryMs: 1_000,
    /** Milliseconds that a scanner may ask to wait, at most. */
    retryAfterMaxMs: 900_000,
    /** Milliseconds between two looks at an export, and after which it is given up. */
    exportPollMs: 10_000,
    exportWaitMaxMs: 7_200_000,
    /** How often a run begins anew because its cursor has expired. */
    restartsMax: 3,
    /** Milliseconds that delta runs go back before the start of the last run: scans end while it reads. */
    overlapMs: 300_000,
    /** Milliseconds after which a run reads everything again. */
    fullRunMs: 86_400_000,
    /** Definitions of vulnerabilities that one request names, and that a run looks at again for new exploits. */
    definitionsAtOnceMax: 100,
    refreshedMax: 5_000,
    /** Definitions that are kept in memory. */
    definitionsKeptMax: 50_000,
    /** Days of one export of remediations, which scanners allow, and that a first run goes back. */
    remediationDaysMax: 31,
    remediationDaysFirst: 31,
    /** Characters of a proof or a solution, without markup. */
    textLengthMax: 4_000,
    /** Pages of the findings of one asset. */
    findingPagesMax: 200,
  },
} as const
