import { limits as contractLimits } from '@tripline/contract/limits'
import { limits as sourcesLimits } from '@tripline/sources/limits'

/** Limits of polled sources and imported files, each with its unit and the reason for it. */
export const limits = {
  imports: {
    /** Bytes of an imported file, and its rows. */
    bodyBytesMax: 16_777_216,
    rowsMax: 100_000,
    /** Columns of a table, bytes of a row, and characters of a field. */
    columnsMax: 64,
    rowBytesMax: 65_536,
    fieldLengthMax: 8_192,
    /** Nesting depth of a JSON row. */
    rowDepthMax: 4,
    /** Rows of one transaction; between two of them other requests are served. */
    transactionRowsMax: 500,
    /** Bytes that are parsed before other requests are served. */
    pieceBytesMax: 65_536,
    /** Invalid rows listed individually; all are counted. */
    errorsListedMax: 1_000,
  },
  collectors: {
    ...contractLimits.collectors,
    /** Collectors of a tenant, retired ones included, and tokens that wait for theirs. */
    perTenantMax: 1_000,
    tokensMax: 100,
    /** Milliseconds for which a token can be used. */
    tokenMs: 86_400_000,
    /** Milliseconds between two heartbeats, without one until a collector is offline, and between two checks. */
    heartbeatMs: 30_000,
    offlineMs: 90_000,
    checkMs: 5_000,
    /** Milliseconds between two heartbeats that a collector must leave: each is written. */
    heartbeatMsMin: 1_000,
  },
  impatient: {
    /** Milliseconds after a refusal within which a tenant over its share is impatient; as long as `Retry-After` asks at least. */
    withinMs: 1_000,
    /** Milliseconds that its requests wait then, less than clients wait for an answer, and between two tries to take them. */
    holdMs: 4_000,
    retryMs: 100,
    /** Requests that wait so, of all tenants; each keeps a connection. */
    heldMax: 512,
    /** Tenants whose last refusal is remembered. */
    tenantsMax: 10_000,
  },
  syslog: {
    ...sourcesLimits.syslog,
    /** Messages of a listener that wait for the pipeline, and their bytes; then streams are paused and datagrams dropped. */
    queuedMessagesMax: 50_000,
    queuedBytesMax: 33_554_432,
    /** Messages that are made durable together, and milliseconds in which they gather. */
    batchMessagesMax: 5_000,
    gatherMs: 20,
    /** Milliseconds after which a batch is offered again that the pipeline refused. */
    retryMs: 250,
    /** Connections of all listeners, where the descriptors of the process allow it. */
    connectionsMax: 10_240,
    /** Connections of one listener, and from one address (of IPv6: from one /64 network), unless its connector says otherwise. */
    listenerConnectionsMax: 4_096,
    addressConnectionsMax: 1_024,
  },
  feeds: {
    /** Characters of an indicator's value, of its description, of a STIX pattern, and of a time. */
    valueLengthMax: contractLimits.enrichment.valueLengthMax,
    descriptionLengthMax: contractLimits.enrichment.descriptionLengthMax,
    patternLengthMax: 8_192,
    instantLengthMax: 64,
    /** Bits of the prefix of a network, at least: a broader one would match nearly everything. */
    prefixMinV4: 8,
    prefixMinV6: 16,
    /** Objects that are asked for with one page of a TAXII collection, and nesting depth of a page. */
    pageObjectsMax: 500,
    pageDepthMax: 32,
    /** Bytes of the description of a collection. */
    collectionBytesMax: 65_536,
    /** Collections or API roots that a check of a wrong collection names, and characters of each. */
    namedMax: 10,
    nameLengthMax: 120,
    /** Indicators that one TAXII collection may add: they are stored until they are removed. */
    indicatorsMax: 1_000_000,
    /** Milliseconds until a collection with more pages than one poll takes is read on. */
    moreMs: 5_000,
    /** Characters of what a server calls the version of a file. */
    versionLengthMax: 256,
    /** Bytes and rows by which the delimiter of a table is found. */
    lookedAtBytesMax: 65_536,
    lookedAtRows: 20,
    /** Entries that a check reads. */
    probedMax: 20,
  },
  connector: {
    ...contractLimits.connector,
    ...sourcesLimits.polling,
    /** Connectors of a tenant: each has its own tasks. */
    perTenantMax: 200,
    /** Milliseconds between two checks, before the retry within a check, and of a whole check. */
    checkEveryMs: 15_000,
    checkAgainMs: 1_000,
    checkMs: 10_000,
    /** Milliseconds within which the first event of a connector leads to a check. */
    firstEventEveryMs: 1_000,
    /** Milliseconds of one request of a check. */
    probeMs: 4_000,
    /** Sample events of a connector test. */
    sampleEventsMax: 3,
    /** Events of connectors held in memory for such samples: bytes of one, events of a batch looked at, connectors, milliseconds. */
    sampleEventBytesMax: 8_192,
    sampledAtOnceMax: 64,
    sampledConnectorsMax: 1_000,
    sampledForMs: 900_000,
    /** Pages polled concurrently for one tenant; only its own connectors wait. */
    pagesAtOnceMax: 8,
    /** Steps of a path into a response. */
    pathStepsMax: 16,
    /** Milliseconds of a request to a scanner: its pages are large. */
    scannerRequestMs: 120_000,
    /** Scanned machines, findings that are gone, and events that are stored in one transaction or batch. */
    observedAtOnceMax: 200,
    sweptAtOnce: 1_000,
    /** Open findings of one machine that are compared with what a collector names. */
    assetFindingsMax: 10_000,
    ingestedAtOnceMax: 1_000,
    /** Milliseconds after which messages of a broker are offered again that the pipeline refused. */
    brokerFullMs: 250,
    /** Milliseconds between two attempts to connect to a broker, at most. */
    brokerRetryMsMax: 60_000,
    /** Status changes listed in a response, and milliseconds for which they are stored. */
    historyListedMax: 200,
    historyKeptMs: 7_776_000_000,
    /** Milliseconds between two writes of connector counters. */
    totalsEveryMs: 10_000,
  },
} as const
