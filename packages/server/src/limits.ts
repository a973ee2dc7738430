/**
 * Every bound of the server, with its unit and its reason; `GET /v1/limits` prints them (C9). What is over a
 * bound is refused by name before the work it bounds is done, or, where the text says so, cut or dropped.
 */
export const limits = {
  request: {
    /** Bytes of a request body (section 6 of the decisions); single routes below allow more. */
    bodyBytesMax: 1_048_576,
    /** Levels of nesting of a JSON body: an event's and the two that hold it. */
    bodyDepthMax: 66,
    /** Fields of all objects in a JSON body: parsing hundreds of thousands of different ones takes seconds. */
    bodyFieldsMax: 200_000,
    /** Bytes of bodies held at once by all requests, as sent and inflated; beyond it 503 until some are done. */
    bodiesHeldBytesMax: 201_326_592,
    /** Milliseconds in which a request must have arrived whole: what a slow sender can hold open. */
    arrivalMs: 60_000,
    /** Unknown query parameters, or problems of a body, that an answer names; a request has room for thousands. */
    warningsListedMax: 20,
  },
  ingest: {
    /** Bytes of a body as sent, compressed or not. */
    bodyBytesMax: 10_485_760,
    /** Bytes of a body after inflating: what a compression bomb can make. */
    inflatedBytesMax: 67_108_864,
    /** Events of one request: 64 MiB of `{}` would be twenty million. */
    requestEventsMax: 100_000,
    /** Bytes of one event. */
    eventBytesMax: 1_048_576,
    /** Levels of nesting of one event; audit events of cloud products stay below 20. */
    eventDepthMax: 64,
    /** Fields of one event, nested ones included. */
    eventFieldsMax: 10_000,
    /** Refused events that an answer lists one by one; all are counted. */
    errorsListedMax: 1_000,
    /** Idempotency keys remembered per tenant, and for how many milliseconds (trust.md section 2). */
    idsRememberedMax: 1_000_000,
    idsRememberedMs: 3_600_000,
    /** Events, and their bytes, handed to the engine at once; between two batches other requests get their turn. */
    batchEventsMax: 200,
    batchBytesMax: 65_536,
  },
  correlation: {
    /** Milliseconds that an event may be older than the newest one and still be correlated; a match comes that much later. */
    allowedLatenessMs: 5_000,
    /** Milliseconds that an event's clock may be ahead of ours before its time is not believed. */
    futureToleranceMs: 300_000,
    /** Milliseconds between two looks at windows that end without events. */
    tickMs: 1_000,
    /** Events, and roughly bytes of them, that stay at hand, so that a match can show its newest one. */
    ringEventsMax: 20_000,
    ringBytesMax: 33_554_432,
  },
  search: {
    /** Milliseconds after which a search answers with what it has found (D-67). */
    budgetMs: 10_000,
  },
  hunt: {
    /** Events that are matched in one go. */
    batchEventsMax: 2_000,
    /** Rules whose events are picked out of the store; with more of them, every event is read. */
    rulesAskedMax: 200,
    /** Buckets of matches over time. */
    bucketCount: 60,
    /** First matches that are shown whole. */
    examplesMax: 20,
    /** Different users, hosts and processes that are counted, and shown of each. */
    entitiesMax: 100_000,
    entitiesShownMax: 10,
    /** Matches of each version that a comparison remembers, and differences that it lists. */
    comparedMax: 1_000_000,
    differencesMax: 100,
  },
  ruleTest: {
    /** D-16. */
    bodyBytesMax: 5_242_880,
    eventsMax: 1_000,
    /** Comparisons of a rule times events: a rule of 3,700 values, SigmaHQ's longest, can be tried on 50 events. */
    comparisonsMax: 200_000,
    /** Comparisons made in one go; then other requests get their turn. */
    comparisonsAtOnceMax: 20_000,
    /** Nodes of all explanations of one answer, some 10 MB; results beyond it carry `null` instead of a tree. */
    explanationNodesMax: 50_000,
  },
  page: {
    /** D-20 and section 1.8. */
    sizeDefault: 50,
    sizeMax: 200,
    /** Entries that `page` and `size` can reach. */
    windowMax: 10_000,
  },
  matches: {
    /** Matches kept of one rule, and of one tenant in all; the oldest make room. Memory, until a store is on disk. */
    perRuleMax: 1_000,
    perTenantMax: 20_000,
    /** Characters kept of each field that a match shows. */
    fieldLengthMax: 4_096,
  },
  events: {
    /** Events of one append, and their bytes: one record of the log, written and checked as a whole. */
    batchEventsMax: 10_000,
    batchBytesMax: 16_777_216,
    /** Bytes that wait for the log; beyond them appends are refused until some are written. */
    waitingBytesMax: 67_108_864,
    /** Rows of a block: enough to compress well and to prune much at once, few enough to decode in milliseconds. */
    blockRowsMax: 16_384,
    /** Bytes of the events of a block, for events that are long. */
    blockBytesMax: 33_554_432,
    /** Blocks in memory that take rows; events of absurd times would else open one for each day there is. */
    openBlocksMax: 512,
    /** Full blocks that wait to be written to their segments; beyond them appends wait too. */
    waitingBlocksMax: 4,
    /** Bytes of one file of the log, and files before the oldest is emptied by writing what its blocks hold. */
    logFileBytesMax: 16_777_216,
    logFilesMax: 8,
    /** Values of an event that get columns; one with more is kept whole and searched slowly. */
    shapeColumnsMax: 1_000,
    /** Shapes and columns of one block; events beyond are kept whole. Real blocks have some hundreds. */
    blockShapesMax: 2_048,
    blockColumnsMax: 8_192,
    /** Shapes that are remembered across blocks, and names of fields that one has looked up. */
    knownShapesMax: 8_192,
    knownNamesMax: 1_024,
    /** Bytes of decoded pieces of segments that are kept; the next page of a rare keyword fits, in 128 MB it did not. */
    cacheBytesMax: 201_326_592,
    /** Bytes of filters of blocks that are kept beside them: some 100 KB a block, so of fifteen million events. */
    filterBytesMax: 100_663_296,
    /** Files of segments that are held open for reading. */
    openFilesMax: 64,
    /** Characters of a tenant's name: it becomes a folder's. */
    tenantLengthMax: 128,
    /** Events of a page (D-67), and of a batch of a scan. */
    pageEventsMax: 1_000,
    scanBatchEventsMax: 10_000,
    /** Buckets that a histogram aims at, at most (D-68); ranges of more than 60 days have one for each day. */
    bucketsWanted: 60,
    bucketsMax: 36_525,
    /** Milliseconds of work after which a search lets others have their turn. */
    turnMs: 10,
    /** Newest blocks that the catalog of fields is made from, its fields, and the values of each. */
    catalogBlocksMax: 64,
    catalogFieldsMax: 2_000,
    catalogValuesMax: 10,
    /** Frequent values of a column that a block lists, and the characters of one. */
    listedValuesMax: 5,
    listedValueLengthMax: 64,
  },
} as const
