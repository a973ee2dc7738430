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
  auth: {
    /** Characters of an access token, ours or an external issuer's; the headers of a request have 16 KiB in all. */
    tokenLengthMax: 8_192,
    /** Characters of the secret of monitoring, at least. */
    scrapeTokenLengthMin: 16,
    /** Milliseconds that an access token of ours is good for, and that clocks may differ (D-25). */
    accessTokenMs: 900_000,
    clockSkewMs: 30_000,
    /** Characters of an id inside a token: subject, session, token. */
    tokenIdLengthMax: 256,
    /** Verified tokens that are remembered, and the characters of one: some 20 MB of text. */
    cachedTokensMax: 10_000,
    cachedTokenLengthMax: 2_048,
    /** Milliseconds after which session and user are asked again whether a verified token still stands (at most 5 s). */
    standingMs: 3_000,
    /** Milliseconds that a session may rest, and last in all (D-25). */
    sessionIdleMs: 43_200_000,
    sessionLifetimeMs: 604_800_000,
    /** Characters of a refresh token. */
    refreshTokenLengthMax: 1_024,
    /** Characters of a password: NIST SP 800-63B asks for 15 where it stands alone; a code makes 12 enough for us. */
    passwordLengthMin: 12,
    passwordLengthMax: 256,
    /** Passwords that wait to be hashed, one after the other at 32 MiB; beyond them 503. */
    passwordsWaitingMax: 32,
    /** Characters of an email address (RFC 5321). */
    emailLengthMax: 254,
    /** Entries of a mapping of external groups to roles, and values of a claim that are looked at. */
    roleMappingMax: 200,
    claimValuesMax: 1_000,
    /** Characters of a document of keys, and the keys of it. */
    keySetLengthMax: 262_144,
    keySetKeysMax: 100,
    /** Milliseconds after which keys that were fetched are fetched again, and between two attempts. */
    keySetFreshMs: 600_000,
    keySetAttemptMs: 30_000,
    /** Milliseconds for fetching the keys of a trusted issuer. */
    keySetTimeoutMs: 10_000,
    /** Milliseconds that an API key lasts if nothing is said, and at most (D-78). */
    apiKeyLifetimeMs: 31_536_000_000,
    apiKeyLifetimeMaxMs: 63_072_000_000,
    /** Characters of an API key's name. */
    apiKeyNameLengthMax: 100,
  },
  admin: {
    /** Users of a tenant, and API keys that are not over; lists of both are not paged. */
    usersMax: 1_000,
    apiKeysMax: 500,
    /** Tenants of an installation; their list is not paged either. */
    tenantsMax: 5_000,
    /** Characters of the name of a user or a tenant, and of a tenant's id, which becomes a folder's name. */
    nameLengthMax: 200,
    tenantIdLengthMax: 63,
    /** Random bytes of a password that is given to somebody, and of the secret of a second factor (RFC 4226). */
    givenPasswordBytes: 15,
    totpSecretBytes: 20,
    /** Seconds that a key goes on beside the one that takes its place, if nothing is said, and at most (D-78). */
    keyOverlapSeconds: 86_400,
    keyOverlapSecondsMax: 604_800,
    /** Milliseconds between two notes of when a key was last used: a note is a synced write. */
    keyUseNotedMs: 60_000,
    /** Networks that a key may be used from, or that a tenant may ask all the same, and the characters of one. */
    networksMax: 100,
    networkLengthMax: 64,
  },
  tenantSettings: {
    /** Days that events, alerts and audit trails may be kept (section 8 of the decisions); nobody goes below the last. */
    eventsRetentionDaysMax: 400,
    alertsRetentionDaysMax: 3_650,
    auditRetentionDaysMax: 3_650,
    auditRetentionDaysMin: 365,
    /** Milliseconds between two times that what is too old is let go, and alerts that go in one transaction. */
    retentionMs: 3_600_000,
    retentionAlertsMax: 100,
    /** Milliseconds after the start until the first time: who finds the retention wrong after an upgrade can still say so. */
    retentionFirstMs: 600_000,
    /** Minutes in which matches of the same rule, host and user may come to one alert. */
    dedupMinutesMax: 10_080,
    /** D-83. */
    apiRequestsPerMinuteMax: 1_000_000,
    /** Characters of a claim's name or value in a mapping of roles. */
    claimLengthMax: 256,
  },
  rate: {
    /** Milliseconds of the window in which requests are counted, and how many are allowed in it (D-29). */
    windowMs: 60_000,
    userRequestsMax: 600,
    tenantRequestsMax: 6_000,
    loginsPerAccountMax: 10,
    loginsPerAddressMax: 30,
    /** Users, tenants, accounts or addresses that are counted at once; the one that was quiet longest makes room. */
    countedMax: 50_000,
  },
  redaction: {
    /** Levels of nesting that are looked into; what lies deeper is replaced whole. */
    depthMax: 16,
  },
  correlation: {
    /** Milliseconds that an event may be older than the newest one and still be correlated; a match comes that much later. */
    allowedLatenessMs: 5_000,
    /** Milliseconds that an event's clock may be ahead of ours before its time is not believed. */
    futureToleranceMs: 300_000,
    /**
     * Groups of one correlation, and events of all of a tenant: some 50 MB at worst, of which a checkpoint takes some 300 ms.
     * Whoever makes up ever new keys has the oldest forgotten, and counted.
     */
    groupsMax: 200_000,
    eventsMax: 500_000,
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
  rules: {
    /** Rules of a tenant's own; each costs memory for ever and time at every start. */
    customMax: 5_000,
    /** Exceptions of one rule; each is one more condition. */
    exceptionsMax: 50,
    /** Exceptions of all rules of a tenant (section 8). */
    exceptionsOfTenantMax: 1_000,
    /** Milliseconds that an exception may last (section 8), and characters of its title and reason. */
    exceptionLifetimeMaxMs: 31_536_000_000,
    /** Milliseconds that one may last which somebody makes who may not change rules (section 5). */
    briefExceptionMaxMs: 604_800_000,
    exceptionTitleLengthMax: 256,
    exceptionReasonLengthMax: 1_000,
    /** Characters of the lines, before and after, that the audit trail keeps of a changed text. */
    diffLengthMax: 4_096,
    /** Failed tests that an answer lists. */
    failuresListedMax: 20,
    /** Milliseconds that a backtest works before it answers with what it has. */
    backtestBudgetMs: 10_000,
    /** Backtests of a tenant that run at once, and comparisons that one makes before other requests get their turn. */
    backtestsAtOnceMax: 2,
    comparisonsAtOnceMax: 1_000_000,
    /** Milliseconds of the range of a backtest, if nothing is said and at most: one day, and what is kept of events. */
    backtestRangeMs: 86_400_000,
    backtestRangeMaxMs: 34_560_000_000,
  },
  enrichment: {
    /** Answers remembered for one tenant, none found included, and tenants that some are remembered for: some 200 MB at worst. */
    cachedAnswersMax: 20_000,
    cachedTenantsMax: 50,
    /** Values of one kind that are taken out of an event, and looked up of it in all. */
    subjectValuesMax: 32,
    /** Characters of a value that is looked up; hashes, names and addresses are shorter, and URLs are not known beyond it. */
    valueLengthMax: 4_096,
    /** Values in one statement that looks them up: one address of IPv6 is in 129 networks. */
    soughtAtOnceMax: 2_000,
    /** Rows in one statement that keeps them: SQLite takes 32,766 parameters. */
    rowsAtOnceMax: 500,
    /** Hits of indicators that wait to be counted, each once for however many; beyond them they are counted at once. */
    waitingHitsMax: 1_000,
    /** Names, addresses, tags and sources of one entry. */
    entryListMax: 64,
    /** Characters of a name, a department, an owner, a tag. */
    entryTextLengthMax: 256,
    /** Characters of what an indicator is said to be. */
    descriptionLengthMax: 1_000,
  },
  imports: {
    /** Bytes of a file that is imported, and rows of it. */
    bodyBytesMax: 16_777_216,
    rowsMax: 100_000,
    /** Columns of a table, bytes of one of its rows, and characters of one of its fields. */
    columnsMax: 64,
    rowBytesMax: 65_536,
    fieldLengthMax: 8_192,
    /** Levels of nesting of a row that is JSON. */
    rowDepthMax: 4,
    /** Rows of one transaction; between two of them other requests get their turn. */
    transactionRowsMax: 500,
    /** Bytes that are read before other requests get their turn. */
    pieceBytesMax: 65_536,
    /** Rows that did not fit and are listed one by one; all are counted. */
    errorsListedMax: 1_000,
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
  lists: {
    /** Entries of one page of each list, by `limit` (D-21, D-67); more are cut to so many, with a warning. */
    alertsLimitMax: 500,
    rulesLimitMax: 500,
    matchesLimitMax: 500,
    auditLimitMax: 1_000,
    knownLimitMax: 500,
    searchLimitMax: 1_000,
    /** Entries of a page of a search where nothing is said: by `size` (D-67). */
    searchSizeDefault: 100,
    /** Bytes of the JSON of `filters` (section 3.3), and levels of brackets in it: eight of filters, each of two at most. */
    filterBytesMax: 8_192,
    filterBracketsMax: 16,
    /** Values of one `in` or `nin`. */
    filterValuesOfOneMax: 1_000,
    /** Milliseconds that one search may reach over (D-67), and reaches back where nothing is said. */
    searchRangeMaxMs: 7_776_000_000,
    searchRangeMs: 86_400_000,
    /** Bytes of events in one answer of a search; the page ends before the event that would be over. */
    searchAnswerBytesMax: 8_388_608,
    /** Fields that a search can be told to answer alone, and characters of the name of one. */
    searchFieldsMax: 100,
    fieldNameLengthMax: 256,
    /** Characters of a comment on an alert (D-54), and comments of one: they are shown together. */
    commentLengthMax: 10_000,
    commentsMax: 1_000,
    /** Bytes of the events that an alert is shown with; those beyond are left out of the answer. */
    evidenceBytesMax: 4_194_304,
    /** Characters of an idempotency key, and bytes of a body under one: what the largest route takes (D-41). */
    idempotencyKeyLengthMax: 255,
    idempotencyBodyBytesMax: 16_777_216,
    /** Bytes of an answer that is kept to be given again; a longer one is not, and neither is its key. */
    idempotencyAnswerBytesMax: 1_048_576,
    /** Milliseconds between two times that answers from a day ago are forgotten. */
    forgetMs: 3_600_000,
  },
  matches: {
    /** Characters kept of each field that a match shows. */
    fieldLengthMax: 4_096,
  },
  cursor: {
    /** Milliseconds for which a cursor goes on with its list (D-24). */
    keptMs: 86_400_000,
    /** Characters of a cursor; the values in it, such as titles and host names, were cut before they were stored. */
    lengthMax: 65_536,
  },
  state: {
    /** Milliseconds that a change waits for another process that is writing the same database. */
    busyMs: 5_000,
    /** Milliseconds that a process waits for the one before it to let go of a data directory. */
    holdMs: 1_000,
    /** Statements that are kept prepared; lists with filters make ever new ones. */
    preparedMax: 256,
    /** Times that a change is tried again because the thing changed between reading and writing it. */
    changeAttemptsMax: 5,
    /** Levels, comparisons and values of a filter of a list (section 3.3): SQL of it is nested and has a parameter for each. */
    filterDepthMax: 8,
    filterLeavesMax: 100,
    filterValuesMax: 10_000,
    /** Characters of a text that is looked for inside others: each row is searched for it. */
    soughtLengthMax: 1_000,
    /** Keys that a list is sorted by. */
    sortKeysMax: 4,
    /** Matches that an alert keeps with their events, from its first on and up to its last; the others are counted. */
    firstEventsMax: 10,
    lastEventsMax: 10,
    /** Entries that are counted one by one for a total; beyond, it is said to be an estimate (D-20). */
    countedMax: 10_000,
    /** Entries of an audit trail that are read at once to check it. */
    auditPageMax: 1_000,
    /** Milliseconds for which an answer is given again under its idempotency key (D-41). */
    requestKeptMs: 86_400_000,
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
  bus: {
    /** Messages published at once, and their bytes: one record on disk, written and checked as a whole. */
    publishMessagesMax: 10_000,
    publishBytesMax: 16_777_216,
    /** Bytes of one message: an event and what is said about it. */
    messageBytesMax: 2_097_152,
    /** Bytes that a message counts as beside its own, where bytes of a topic are bounded. */
    messageCostBytes: 64,
    /** Bytes of a topic that some consumer has not committed, and of one tenant in it; beyond them publishing is refused. */
    topicBytesMax: 1_073_741_824,
    tenantBytesMax: 268_435_456,
    /** Bytes that wait to be written to a topic: what is in memory when senders are faster than the disk. */
    waitingBytesMax: 67_108_864,
    /** Bytes of one file of a topic, and of committed offsets; a full one gets no further group. Opening reads few of them. */
    fileBytesMax: 16_777_216,
    commitFileBytesMax: 65_536,
    /** Bytes of messages that are taken at once, but for a single one that is longer. */
    takeBytesMax: 8_388_608,
    /** Bytes read from a file at once; a longer record is read whole. */
    readBytesMax: 262_144,
    /** Bytes of the last records of a topic that stay in memory: some seconds of events, for consumers that keep up. */
    recentBytesMax: 4_194_304,
    /** Places of damage that are told apart. */
    damagesListedMax: 1_000,
    /** Characters of a tenant's name. */
    tenantLengthMax: 128,
  },
  metrics: {
    /** Labels of one counter of one tenant (SigmaHQ has some 3,800 rules), and characters of one; more are counted together. */
    labelsMax: 10_000,
    labelLengthMax: 256,
    /** Milliseconds between two times that what was counted is kept: what a kill can lose (D-10). */
    recordMs: 10_000,
    /** Milliseconds between two looks at the books of tenants, which rates are made of. */
    booksMs: 1_000,
    /** Points that are kept at once; between two such, requests get their turn. */
    recordPointsMax: 250,
    /** Milliseconds for which a series is shown as it was kept last; a reader after that has it kept first. */
    seriesStaleMs: 1_000,
    /** Minutes that wait while nothing can be kept; the oldest is added to the next. */
    pendingMinutesMax: 60,
    /** Points of a series in one answer (D-09). */
    pointsMax: 2_000,
    /** Milliseconds for which buckets of a minute, of five and of an hour are kept: a range of 2,000 that ends now is there. */
    minuteKeptMs: 172_800_000,
    fiveMinutesKeptMs: 1_814_400_000,
    hourKeptMs: 7_776_000_000,
    /** Milliseconds between two times that old buckets are removed. */
    removeMs: 3_600_000,
    /** Rules that are listed with their alerts. */
    topRulesMax: 10,
    /** Milliseconds between two looks at what a tenant's rules cost, and how much longer than a look the pause after it is. */
    costSampleMs: 10_000,
    costPauseFactor: 100,
    /** Milliseconds between two beats of the watchdog, and by which one may be late (D-18). */
    beatMs: 250,
    loopLagMs: 250,
    /** Milliseconds that a late beat is held against the process, and a queue may stand still. */
    loopLagSeenMs: 10_000,
    queueStallMs: 10_000,
    /** Milliseconds after which a write that was good says nothing any more. */
    writeGoodMs: 30_000,
  },
  stage: {
    /** Messages that a stage takes at once. */
    batchMessagesMax: 500,
    /** Attempts at messages that fail for a reason of their own, each with half of them; then they go to the dead letters. */
    attemptsMax: 3,
    /** Milliseconds before something that may pass is tried again; each further time twice as long, up to the second. */
    retryMs: 50,
    retryMsMax: 5_000,
    /** Characters of the reason in a dead letter, and bytes of the message; longer ones are cut, and the letter says so. */
    reasonLengthMax: 1_000,
    letterBytesMax: 2_000_000,
  },
  pipeline: {
    /** Milliseconds between two checkpoints at least, and how many times as long as the last one took: 5 % of the time. */
    checkpointMs: 1_000,
    checkpointRestFactor: 20,
    /** Events, and their bytes, that a stage reads or matches before others get their turn: a few milliseconds. */
    turnEventsMax: 100,
    turnBytesMax: 131_072,
    /** Ids of events in one part of a checkpoint: the open part is written again each time. */
    idsPartMax: 4_096,
    /** Characters of an id that is remembered as it is; a longer one is remembered by its hash. */
    idLengthMax: 64,
    /** Milliseconds without events after which a tenant's time goes on with the clock's, that much behind it. */
    silenceMs: 30_000,
    /** Events of silent windows that a checkpoint keeps so that alerts can show them, and their bytes. */
    recalledEventsMax: 1_000,
    recalledBytesMax: 2_097_152,
    /** Matches that are made alerts of in one transaction. */
    alertsAtOnceMax: 100,
    /** Alerts that a rule makes in an hour, in milliseconds; its further matches come to one alert (section 8). */
    stormAlertsMax: 1_000,
    stormMs: 3_600_000,
    /** Seconds after which a sender that was refused for want of room may try again. */
    retryAfterSeconds: 2,
    /** Milliseconds that a change of rules waits for detection to be between two batches; a batch takes some ten. */
    turnWaitMs: 5_000,
    /** Bytes that are written to see whether a disk that was full has room again. */
    roomBytes: 1_048_576,
    /** Milliseconds between two looks at whether all is handled. */
    idleLookMs: 5,
  },
  egress: {
    /** Characters of a URL that a tenant has us ask. */
    urlLengthMax: 2_048,
    /** Bytes of the head of an answer. */
    headBytesMax: 16_384,
    /** Addresses of a name that are looked at and tried. */
    addressesMax: 16,
  },
  connector: {
    /** Connectors of a tenant: each has tasks of its own. */
    perTenantMax: 200,
    /** Characters of a connector's name, of a text in its settings, and texts of a list there. */
    nameLengthMax: 100,
    textLengthMax: 2_048,
    listMax: 100,
    /** Seconds between two polls, and of quiet before a connector counts as degraded (D-02, D-04). */
    pollingSecondsMin: 5,
    pollingSecondsMax: 86_400,
    pollingSecondsDefault: 60,
    quietSecondsMax: 2_592_000,
    quietSecondsDefault: 900,
    /** Milliseconds between two checks, before the one more attempt within a check, and of a whole check (D-02, D-08). */
    checkEveryMs: 15_000,
    checkAgainMs: 1_000,
    checkMs: 10_000,
    /** Milliseconds and bytes of one request of a check; a longer body is cut (D-74). */
    probeMs: 4_000,
    probeBytesMax: 65_536,
    /** Events that a test shows (D-08). */
    sampleEventsMax: 3,
    /** Milliseconds and bytes of one page that is polled, as it comes and inflated: it is held whole. */
    pageMs: 30_000,
    pageBytesMax: 8_388_608,
    /** Pages that are read at once for one tenant; its other connectors wait, those of other tenants do not. */
    pagesAtOnceMax: 8,
    /** Pages of one poll; what is left waits for the next one, so that nobody keeps us for ever. */
    pagesMax: 100,
    /** Characters of a cursor, and steps of a path into an answer. */
    cursorLengthMax: 2_048,
    pathStepsMax: 16,
    /** Ids of events of the last page that are kept with its place. */
    seenMax: 10_000,
    /** Characters of an access token, and milliseconds before its end from which a new one is had. */
    tokenLengthMax: 16_384,
    tokenEarlyMs: 30_000,
    /** Milliseconds after a failed poll, twice as long each further time; and at most, whatever Retry-After says. */
    retryMs: 1_000,
    retryMsMax: 300_000,
    retryAfterMsMax: 3_600_000,
    /** Changes of status that an answer lists, and milliseconds for which they are kept (D-02). */
    historyListedMax: 200,
    historyKeptMs: 7_776_000_000,
    /** Milliseconds between two writings of what came in. */
    totalsEveryMs: 10_000,
  },
  push: {
    /** Bytes of one message of a client (D-35); longer ones end the connection with 1009. */
    frameBytesMax: 16_384,
    /** Levels of nesting of a message of a client; one that subscribes has three. */
    frameDepthMax: 8,
    /** Connections of one user, and of one tenant (D-35). */
    userConnectionsMax: 20,
    tenantConnectionsMax: 500,
    /** Bytes sent to a connection that have not left the process; beyond them the rules for slow readers hold (D-35). */
    bufferBytesMax: 1_048_576,
    /** Sends in one go; then other work gets its turn. */
    sliceMax: 500,
    /** Milliseconds between two pings, and pings in a row that may stay without an answer. */
    pingMs: 30_000,
    unansweredPingsMax: 2,
    /** Milliseconds in which a client's messages are counted: all of them, those that cannot be read, and replays asked for. */
    windowMs: 60_000,
    messagesMax: 600,
    unreadableMessagesMax: 4,
    replaysMax: 10,
    /** Characters of an id that a client gives, and of the place from which it asks for a replay. */
    idLengthMax: 128,
    sinceLengthMax: 128,
    /** Unknown topics that an error lists, and the characters shown of each. */
    topicsListedMax: 20,
    topicLengthMax: 64,
    /** Milliseconds between two updates of metrics, and for which one serves everybody in the tenant. */
    metricsMs: 5_000,
    metricsFreshMs: 1_000,
    /** Alerts that are replayed at most, and milliseconds for which those are known when they come a second time (D-34). */
    replayAlertsMax: 1_000,
    replayKnownMs: 60_000,
    /** Alerts that are remembered as they were published, of all tenants; the tenant that was quiet longest makes room. */
    recentAlertsMax: 100_000,
    /** Characters of a title or a host in a message; the alert has them whole. */
    textLengthMax: 512,
    /** Live tails of one connection (D-33), and different queries of a tenant that run at once: each looks at each event. */
    tailsMax: 3,
    tailQueriesMax: 50,
    /** Milliseconds between two messages of a connection's tails, events and bytes of one, and events of a tail in a second. */
    tailMs: 250,
    tailMessageEventsMax: 50,
    tailMessageBytesMax: 262_144,
    tailEventsMax: 200,
    /** Milliseconds that all queries together may take for a batch; what is left then is counted as dropped. */
    tailBudgetMs: 20,
    /** Milliseconds that a ticket is good for (D-36), and tickets at once; the oldest make room. */
    ticketMs: 30_000,
    ticketsMax: 50_000,
    /** Milliseconds between two looks at what is due, and that a client has to answer a close. */
    tickMs: 100,
    closeMs: 2_000,
  },
} as const
