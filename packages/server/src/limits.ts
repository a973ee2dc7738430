import { limits as contractLimits } from '@tripline/contract/limits'
import { limits as detectionLimits } from '@tripline/detection/limits'
import { limits as formatsLimits } from '@tripline/formats/limits'
import { limits as stateLimits } from '@tripline/state/limits'
import { limits as storageLimits } from '@tripline/storage/limits'
import { limits as accessLimits } from './access/limits.ts'
import { limits as backupLimits } from './backup/limits.ts'
import { limits as deliveryLimits } from './delivery/limits.ts'
import { limits as egressLimits } from './egress/limits.ts'
import { limits as httpLimits } from './http/limits.ts'
import { limits as ingestionLimits } from './ingestion/limits.ts'
import { limits as metricsLimits } from './metrics/limits.ts'
import { limits as reportLimits } from './reports/limits.ts'

/**
 * Every limit of the server, with its unit and reason; `GET /v1/limits` returns them. Packages below and
 * rooms of the server have tables of their own, which are taken in here. Input over a limit is refused by name before the work
 * that it bounds, or, where the comment says so, truncated or dropped.
 */
export const limits = {
  ...backupLimits,
  ...reportLimits,
  request: httpLimits.request,
  response: httpLimits.response,
  exports: {
    /** Milliseconds of an export: while one runs, the database keeps what changes. */
    durationMs: 1_800_000,
    /** Milliseconds between checks that the key or session of an export has not ended: what is revoked ends within a second. */
    callerCheckMs: 400,
    /** Events that an export reads and prints at once: a megabyte each at most. */
    eventsAtOnce: 100,
  },
  selfTest: {
    /** Milliseconds that a stage may take before a self-test says that it failed, and between two looks at it. */
    stageMs: 10_000,
    pollMs: 20,
  },
  configuration: {
    /** Characters of a configuration file: hundreds of settings with comments, and a text that is parsed in a moment. */
    fileLengthMax: 1_048_576,
  },
  log: {
    /** Characters of lines of the log that may wait to be written; further lines are dropped and counted. */
    waitingLengthMax: 8_388_608,
    /** Milliseconds that a start and an end wait for the log to be written. */
    flushMs: 2_000,
  },
  disk: {
    /** Shares of the disk that are free at the watermarks: a warning, an error, and no more events. */
    lowShare: 0.15,
    highShare: 0.1,
    floodShare: 0.05,
    /** Free bytes at which a large disk reaches the watermark all the same: its share would be more than days of events. */
    lowBytesMax: 64_424_509_440,
    highBytesMax: 42_949_672_960,
    floodBytesMax: 21_474_836_480,
  },
  connections: httpLimits.connections,
  ingest: {
    ...formatsLimits.ingest,
    ...detectionLimits.ingest,
    /** Bytes of a body as sent, compressed or not. */
    bodyBytesMax: 10_485_760,
    /** Rejected events listed individually in a response; all are counted. */
    errorsListedMax: 1_000,
  },
  auth: accessLimits.auth,
  signOn: { ...contractLimits.signOn, ...accessLimits.signOn },
  scim: accessLimits.scim,
  admin: accessLimits.admin,
  profile: {
    /** Bytes of a user's preferences as JSON. */
    preferencesBytesMax: 65_536,
    /** Other tenants of an account that a profile lists. */
    tenantsListedMax: 100,
  },
  alertFigures: {
    ...contractLimits.alertFigures,
    /** Spans of a histogram, and values of a facet, without a parameter. */
    bucketsDefault: 72,
    facetValuesDefault: 10,
    /** Newest alerts that facets are counted of, and that are grouped: each is read, 1,000 in some 5 ms. */
    facetRowsMax: 20_000,
    groupedMax: 50_000,
    /** Spans of the sparkline of a group. */
    sparkSpans: 24,
    /** Milliseconds after which a histogram is truncated; alerts of statuses and severities alone never take that long. */
    deadlineMs: 3_000,
  },
  changes: {
    /** Changes that are listed at once, milliseconds of the range without parameters, and of the longest. */
    listedMax: 200,
    rangeDefaultMs: 86_400_000,
    rangeMaxMs: 7_776_000_000,
  },
  overview: {
    /** Milliseconds of the range without parameters, and of the longest. */
    rangeDefaultMs: 604_800_000,
    rangeMaxMs: 7_948_800_000,
    /** Alerts and silent connectors that are listed, and tactics. */
    listedMax: 5,
    tacticsMax: 20,
    /** Milliseconds of a pass over all incidents. */
    scanMs: 10_000,
  },
  alertContext: {
    /** Newest alerts of a rule and entity whose verdicts are counted, and similar alerts that are listed. */
    verdictsMax: 1_000,
    similarMax: 10,
  },
  assetTimeline: {
    /** Newest alerts of an interval that the timeline of an asset shows, and names of a machine that they are found by. */
    alertsMax: 1_000,
    namesMax: 50,
  },
  alertBulk: {
    ...contractLimits.alertBulk,
    /** Alerts that are changed in one transaction, with one entry of the audit trail: others write between two of them. */
    transactionAlertsMax: 1_000,
    /** Milliseconds for which a change of many alerts can be taken back. */
    undoMs: 600_000,
  },
  views: {
    ...contractLimits.views,
    /** Saved views that a user owns, and those that a tenant shares; no list of them is paginated. */
    ownedMax: 200,
    sharedMax: 500,
  },
  risk: {
    /** Open alerts of a tenant that are read at once after each change, some 200 ms of work. */
    atOnceMax: 5_000,
    /** Milliseconds of rest for each alert, where there are more, before they are read again: 100 s for a million. */
    restMsOfAlert: 0.1,
    /** Milliseconds after which alerts have aged, and other settings count. */
    ageMs: 60_000,
    /** Tenants whose risks are kept, those that were asked for last. */
    tenantsMax: 50,
  },
  playbooks: {
    ...contractLimits.playbooks,
    /** Playbooks of a tenant: each is compared with each new alert. */
    playbooksMax: 100,
    /** Runs of a tenant that have not ended, above which no further one starts. */
    waitingMax: 1_000,
    /** Runs that are taken up at once; they go one after the other. */
    runsAtOnceMax: 50,
    /** Milliseconds after which runs that could not go on are taken up again. */
    resumeMs: 60_000,
    /** Milliseconds in which a webhook must answer, and the bytes that are read of its answer. */
    timeoutMs: 15_000,
    answerBytesMax: 65_536,
    /** Characters of the result of a step, and runs whose steps the detail of an incident shows. */
    resultLengthMax: 1_000,
    runsShownMax: 50,
  },
  incidents: {
    ...contractLimits.incidents,
    /** Alerts of one incident: its severity, entities and tactics are computed from them; further alerts open another. */
    alertsMax: 1_000,
    /** Active incidents of a tenant, above which alerts open no further ones by themselves: more are a flood. */
    activeMax: 1_000,
    /** Entries of a timeline, above which users are refused further changes. */
    timelineMax: 10_000,
    /** The newest alerts and the last timeline entries of an incident's detail. */
    alertsShownMax: 100,
    timelineShownMax: 200,
  },
  tenantSettings: {
    ...contractLimits.tenantSettings,
    /** Milliseconds between two retention runs, and alerts removed in one transaction. */
    retentionMs: 3_600_000,
    retentionAlertsMax: 100,
    /** Milliseconds from the start to the first retention run: time to correct a wrong retention after an upgrade. */
    retentionFirstMs: 600_000,
  },
  jobs: stateLimits.jobs,
  verify: {
    /** Milliseconds from the start to the first verification, and the least between two. */
    firstMs: 600_000,
    /** Bytes of events and queue that a verification beside a server reads in a second. */
    bytesPerSecond: 33_554_432,
    /** Bytes of the file with the last result. */
    fileBytesMax: 4_096,
  },
  audit: {
    /** Milliseconds in which repetitions of an action are recorded as one audit entry with a count. */
    windowMs: 30_000,
    /** Such entries of one principal, or of all failed logins, in a window of a tenant; beyond them actions are only counted. */
    entriesPerSourceMax: 100,
    /** Such entries of a tenant in a window, apart from the counts. */
    entriesPerTenantMax: 1_000,
    /** Entries appended in one transaction; between two of them other requests are served. */
    entriesAtOnceMax: 50,
    /** Characters of a query, filter or other text in such an entry; longer ones are cut. */
    textLengthMax: 2_000,
  },
  retention: {
    /** Milliseconds that removed events stay in the trash, and that expired alerts and audit entries are still kept. */
    trashMs: 86_400_000,
    /** Milliseconds after its end for which an expired indicator stays, to be looked up, and how many are removed at once. */
    endedIndicatorMs: 2_592_000_000,
    endedIndicatorsAtOnceMax: 500,
    /** Milliseconds that the clock may differ from a monotonic clock; beyond them nothing is removed by age. */
    clockJumpMsMax: 86_400_000,
    /** Milliseconds that a server may have been down; if the clock says more, nothing is removed until it is confirmed. */
    clockGapMsMax: 259_200_000,
  },
  rate: accessLimits.rate,
  redaction: {
    /** Nesting depth that is searched; deeper values are masked whole. */
    depthMax: 16,
  },
  correlation: detectionLimits.correlation,
  connectorSamples: {
    /** Events that are shown of a connector. */
    samplesMax: 5,
    /** Newest events of a tenant that are read for them, and events of one page: each is read whole. */
    searchedMax: 2_000,
    pageEventsMax: 500,
  },
  search: {
    /** Milliseconds after which a search responds with what it has found. */
    budgetMs: 10_000,
    /** Milliseconds after which a search for a word that has its page counts no further, unless it is to count all. */
    countMs: 100,
  },
  hunt: {
    /** Events matched in one batch. */
    batchEventsMax: 2_000,
    /** Rules whose predicates prune the scan; with more of them, every event is read. */
    rulesAskedMax: 200,
    /** The same for their regular expressions: compiling what prunes takes some twenty microseconds of each, without a pause. */
    regexesAskedMax: 200,
    /** Buckets of matches over time. */
    bucketCount: 60,
    /** First matches shown in full. */
    examplesMax: 20,
    /** Distinct users, hosts and processes that are counted, and shown of each. */
    entitiesMax: 100_000,
    entitiesShownMax: 10,
    /** Matches of each version that a comparison stores, and differences that it lists. */
    comparedMax: 1_000_000,
    differencesMax: 100,
  },
  rules: {
    ...contractLimits.rules,
    ...detectionLimits.rules,
    /** Custom rules of a tenant; each costs memory permanently and time at every start. */
    customMax: 5_000,
    /**
     * Rules over `ruleTest.inlineWorkMax` that a tenant stores or backtests within a window of milliseconds: some tens of
     * milliseconds of the main thread each, so 2 % of it.
     */
    costlyChangesMax: 12,
    costlyChangesMs: 60_000,
    /** Exceptions of all rules of a tenant. */
    exceptionsOfTenantMax: 1_000,
    /** Characters of the changed lines, before and after, in the audit trail. */
    diffLengthMax: 4_096,
    /** Failed tests listed in a response. */
    failuresListedMax: 20,
    /**
     * Range of a preview of an exception in milliseconds, alerts that it is tried on, each of which is one read of the store, and
     * alerts that are tried in one go.
     */
    previewRangeMs: 2_592_000_000,
    previewAlertsMax: 500,
    previewAlertsAtOnce: 20,
    /** Characters of the events of these alerts that are tried at once, and in all; beyond, older alerts are left out. */
    previewLengthAtOnce: 4_194_304,
    previewLengthMax: 33_554_432,
    /** Time budget of a backtest in milliseconds. */
    backtestBudgetMs: 10_000,
    /** Concurrent backtests of a tenant, and comparisons per batch; between batches other requests are served. */
    backtestsAtOnceMax: 2,
    comparisonsAtOnceMax: 1_000_000,
    /** Default and maximum range of a backtest in milliseconds: one day, and the retention of events. */
    backtestRangeMs: 86_400_000,
    backtestRangeMaxMs: 34_560_000_000,
    /**
     * Work units of compiling the rules of a backtest with the exceptions that it tries, at most about as many microseconds, rule
     * by rule. SigmaHQ's 200 largest rules for Windows with one exception take 2,620,000.
     */
    backtestCompileWorkMax: 3_000_000,
    /** Milliseconds that a backtest beside requests may take: a range of months, at half of the speed. */
    backtestJobMs: 3_600_000,
    /** Tenants whose backtests run beside requests at once, and backtests of a tenant that wait or run. */
    backtestTenantsAtOnceMax: 2,
    backtestsWaitingMax: 10,
    /** The longest pause after a batch in milliseconds: it lasts as long as the batch, so that requests have half of the time. */
    backtestPauseMaxMs: 500,
    /** Backtests that a tenant keeps, milliseconds that they are kept, and how many are removed at once: some 50 KB each. */
    backtestsKeptMax: 100,
    backtestsKeptMs: 2_592_000_000,
    backtestsRemovedMax: 100,
    /** Milliseconds between looks for backtests that a killed process left, and until the first one after the start. */
    backtestCheckMs: 600_000,
    backtestFirstMs: 10_000,
    /** Characters of the error of a backtest. */
    backtestErrorLengthMax: 1_000,
  },
  rulePipelines: {
    ...contractLimits.rulePipelines,
    /**
     * Work units in which all rules of a tenant are compiled with its pipelines, for each rule, and at least. SigmaHQ's rules take
     * 1,300 each without a pipeline.
     */
    workOfRuleMax: 6_000,
    workMin: 1_000_000,
    /** Characters of pipelines that a test parses where all requests are served; longer ones are parsed in the thread of rule tests. */
    inlineLengthMax: 16_384,
    /** Characters of one part of a rule that a test prints. */
    partLengthMax: 16_384,
  },
  enrichment: {
    ...contractLimits.enrichment,
    ...stateLimits.enrichment,
    ...detectionLimits.enrichment,
  },
  imports: ingestionLimits.imports,
  ruleTest: {
    ...contractLimits.ruleTest,
    /** Work units of a rule test or check that runs at once; any other runs in a worker thread. */
    inlineWorkMax: 10_000,
    /** Milliseconds after the server is ready until the thread starts, so that the start has the processor; values of its first rule. */
    prepareMs: 2_000,
    warmUpValues: 200,
    /** Milliseconds until a test is refused, and until its thread is terminated, and megabytes of the thread's heap. */
    deadlineMs: 800,
    terminationMs: 1_600,
    heapMbMax: 256,
    /** Tests of a tenant that wait for the thread; beyond them tests are refused with 429. */
    waitingMax: 4,
    /** Comparisons of a rule times events: a rule of 3,700 values, SigmaHQ's longest, can be tested on 50 events. */
    comparisonsMax: 200_000,
    /** Comparisons in one go; then other requests are served. */
    comparisonsAtOnceMax: 20_000,
    /** Nodes of all explanations in a response, about 10 MB; later results have `null` instead of a tree. */
    explanationNodesMax: 50_000,
  },
  page: {
    /** Entries of a page by default, and at most. */
    sizeDefault: 50,
    sizeMax: 200,
    /** The same in the public API, where more is refused. */
    publicSizeDefault: 20,
    publicSizeMax: 100,
    /** Entries that `page` and `size` can reach. */
    windowMax: 10_000,
  },
  lists: {
    ...contractLimits.lists,
    /** Changes of an alert that its timeline shows, the newest; all of them are on the audit trail. */
    timelineEntriesMax: 500,
    /** Default entries of a search page, by `size`. */
    searchSizeDefault: 100,
    /** Bytes of the JSON of `filters`, and its nesting depth: eight levels of filters with at most two brackets each. */
    filterBytesMax: 8_192,
    filterBracketsMax: 16,
    /** Values of one `in` or `nin`. */
    filterValuesOfOneMax: 1_000,
    /** Maximum range of a search in milliseconds, and the default range. */
    searchRangeMaxMs: 7_776_000_000,
    searchRangeMs: 86_400_000,
    /** Milliseconds by which a range without an end may be longer: its beginning was counted back before the request was sent. */
    searchRangeDelayMs: 60_000,
    /** Bytes of events in one search response; the page ends before the event that would exceed it. */
    searchAnswerBytesMax: 8_388_608,
    /** Bytes of the events shown with an alert; further events are omitted. */
    evidenceBytesMax: 4_194_304,
    /** Characters of an idempotency key, and bytes of a body with one: the maximum of the largest route. */
    idempotencyKeyLengthMax: 255,
    idempotencyBodyBytesMax: 16_777_216,
    /** Bytes of a response that is stored for replay; longer ones are not stored, nor is their key. */
    idempotencyAnswerBytesMax: 1_048_576,
    /** Milliseconds between two removals of expired responses. */
    forgetMs: 3_600_000,
  },
  matches: detectionLimits.matches,
  cursor: {
    /** Lifetime of a cursor in milliseconds. */
    keptMs: 86_400_000,
    /** Characters of a cursor; the values in it, such as titles and host names, were truncated when stored. */
    lengthMax: 65_536,
  },
  state: stateLimits.state,
  events: storageLimits.events,
  bus: storageLimits.bus,
  metrics: metricsLimits.metrics,
  expiry: metricsLimits.expiry,
  stage: detectionLimits.stage,
  fairness: detectionLimits.fairness,
  pipeline: detectionLimits.pipeline,
  assets: { ...stateLimits.assets, ...detectionLimits.assets },
  domainEvents: deliveryLimits.domainEvents,
  webhooks: deliveryLimits.webhooks,
  channels: deliveryLimits.channels,
  egress: egressLimits.egress,
  exposures: {
    /** Milliseconds between two looks for what rules are to hear of assets. */
    checkMs: 300_000,
    /** Exposures of each kind that are reported of a tenant at once: fewer in an hour than alerts of a rule before a storm. */
    toldAtOnceMax: 75,
    /** Milliseconds after its date that a vulnerability is overdue: what is to be remediated at once has a day for it. */
    overdueAfterMs: 86_400_000,
    /** Vulnerabilities of an asset that an event about an alert on it shows, worst first. */
    findingsShownMax: 20,
  },
  collectors: ingestionLimits.collectors,
  connector: ingestionLimits.connector,
  impatient: ingestionLimits.impatient,
  syslog: ingestionLimits.syslog,
  push: deliveryLimits.push,
} as const
