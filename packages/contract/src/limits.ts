/** The limits that wire shapes state, with their units and reasons. */
export const limits = {
  request: {
    /** Bytes of a request body; some routes below allow more. */
    bodyBytesMax: 1_048_576,
  },
  auth: {
    /** Characters of a password: NIST SP 800-63B requires 15 without a second factor; since accounts can have one, 12 suffice here. */
    passwordLengthMin: 12,
    passwordLengthMax: 256,
    /** Characters of an email address (RFC 5321). */
    emailLengthMax: 254,
    /** Entries of a mapping of external groups to roles, and values of a claim that are compared. */
    roleMappingMax: 200,
    claimValuesMax: 1_000,
    /** Characters of an API key's name. */
    apiKeyNameLengthMax: 100,
  },
  admin: {
    /** Characters of the name of a user or tenant, and of a tenant id, which becomes a folder name. */
    nameLengthMax: 200,
    tenantIdLengthMax: 63,
    /** Default and maximum seconds that a rotated key stays valid beside its replacement. */
    keyOverlapSeconds: 86_400,
    keyOverlapSecondsMax: 604_800,
    /** Networks in an allow-list of a key or tenant, and the characters of one. */
    networksMax: 100,
    networkLengthMax: 64,
    /** Domains of a tenant, and the characters of one (RFC 1035). */
    domainsMax: 100,
    domainLengthMax: 253,
  },
  views: {
    /** Characters of the name of a saved view, and of its query. */
    nameLengthMax: 100,
    queryLengthMax: 4_096,
  },
  webhooks: {
    /** Characters of the name of a webhook, and of its URL. */
    nameLengthMax: 100,
    urlLengthMax: 2_048,
  },
  channels: {
    /** Characters of the name of a channel or route, of an address, of a secret, and of a host name. */
    nameLengthMax: 100,
    urlLengthMax: 2_048,
    secretLengthMax: 1_024,
    hostLengthMax: 253,
    /** Characters of a template, and of certificates in PEM. */
    templateLengthMax: 16_384,
    certificateLengthMax: 65_536,
    /** Recipients of mail, and channels of a route. */
    recipientsMax: 50,
    channelsOfRouteMax: 10,
    /** Minutes of a pause, a digest and an escalation: a week. */
    minutesMax: 10_080,
  },
  reports: {
    /** Characters of the times of a schedule, and days that its report is about. */
    cronLengthMax: 100,
    daysMax: 400,
    /** Characters of the name at the head of reports. Bytes and pixels of the logo: 300 dots an inch at its size on paper. */
    brandNameLengthMax: 80,
    logoBytesMax: 131_072,
    logoWidthMax: 1_200,
    logoHeightMax: 400,
  },
  collectors: {
    /** Characters of a collector's name, of a text that it states, and of an error; sources of one. */
    nameLengthMax: 100,
    textLengthMax: 256,
    errorLengthMax: 1_000,
    sourcesMax: 200,
  },
  tenantSettings: {
    /** Minutes until an alert or an incident is due: a quarter of a year. */
    responseMinutesMax: 131_400,
    /** Minutes that a session may be unused (an access token lasts 15), and hours that it may last. */
    sessionIdleMinutesMin: 15,
    sessionIdleMinutesMax: 720,
    sessionLifetimeHoursMax: 168,
    /** Days that events, alerts and audit entries can be kept, and the minimum for audit entries. */
    eventsRetentionDaysMax: 400,
    alertsRetentionDaysMax: 3_650,
    auditRetentionDaysMax: 3_650,
    auditRetentionDaysMin: 365,
    /** Minutes in which matches of the same rule, host and user are added to one alert. */
    dedupMinutesMax: 10_080,
    /** Minutes that alerts of one incident may be apart when they are grouped. */
    groupingMinutesMax: 10_080,
    /** Requests per minute to the integration API. */
    apiRequestsPerMinuteMax: 1_000_000,
    /** Characters of a claim's name or value in a role mapping. */
    claimLengthMax: 256,
    /** Mappings of events, and characters of one: settings are read often, and each event is compared with its entries. */
    eventMappingsMax: 32,
    eventMappingLengthMax: 16_384,
    /** Events of one test of a mapping. */
    mappingTestEventsMax: 100,
  },
  signOn: {
    /** Characters of an issuer, a client id, a client secret and a scope, and the scopes of a login. */
    issuerLengthMax: 2_048,
    clientIdLengthMax: 512,
    clientSecretLengthMax: 2_048,
    scopeLengthMax: 100,
    scopesMax: 20,
    /** Characters of the address at which a provider that speaks SAML logs users in, and of a certificate, and certificates of one. */
    loginUrlLengthMax: 2_048,
    certificateLengthMax: 16_384,
    certificatesMax: 4,
    /** Domains of email addresses that lead to a tenant. */
    domainsMax: 50,
  },
  playbooks: {
    /** Characters of a playbook's name, of a tag and of an address, and steps of one. */
    nameLengthMax: 100,
    tagLengthMax: 256,
    urlLengthMax: 2_048,
    stepsMax: 20,
  },
  compliance: {
    /** Characters of the owner and the note of a control, of a file's name and of an address. */
    ownerLengthMax: 254,
    noteLengthMax: 2_000,
    fileNameLengthMax: 255,
    urlLengthMax: 2_048,
    /** Frameworks and controls that one request names. */
    frameworksMax: 9,
    controlsMax: 700,
  },
  incidents: {
    /** Characters of a title, and of a description or a resolution note. */
    titleLengthMax: 256,
    textLengthMax: 10_000,
    /** Alerts or incidents that one request names. */
    namedMax: 100,
  },
  rules: {
    /** Exceptions of one rule; each adds a condition. */
    exceptionsMax: 50,
    /** Maximum lifetime of an exception in milliseconds, and characters of its title and reason. */
    exceptionLifetimeMaxMs: 31_536_000_000,
    /** Maximum lifetime in milliseconds of an exception by a principal without the permission `suppress`. */
    briefExceptionMaxMs: 604_800_000,
    exceptionTitleLengthMax: 256,
    exceptionReasonLengthMax: 1_000,
    /** Rules, characters of their texts together, and of one name, that the context of a compilation holds. */
    contextRulesMax: 200,
    contextLengthMax: 2_097_152,
    contextNameLengthMax: 256,
    /** Stored rules that one backtest runs. */
    backtestRulesMax: 200,
  },
  rulePipelines: {
    /** Pipelines of a tenant, and characters of one, of all of them together, and of a name: each rule goes through all of them. */
    pipelinesMax: 16,
    textLengthMax: 65_536,
    totalLengthMax: 262_144,
    nameLengthMax: 100,
    /** The largest priority: pySigma's own reach 100. */
    priorityMax: 10_000,
    /** Events of one test. */
    testEventsMax: 100,
  },
  erasure: {
    /** Texts that identify a person, and characters of each: a shorter one would be part of other words. */
    identifiersMax: 20,
    identifierLengthMin: 5,
    identifierLengthMax: 256,
  },
  enrichment: {
    /** Characters of a value that is looked up; hashes, names and addresses are shorter, longer URLs are not matched. */
    valueLengthMax: 4_096,
    /** Names, addresses, tags and sources of one entry. */
    entryListMax: 64,
    /** Characters of a name, a department, an owner, a tag. */
    entryTextLengthMax: 256,
    /** Assets that a request to the public API imports. */
    importedAtOnceMax: 1_000,
    /** Assets that become part of another at once. */
    mergedMax: 20,
    /** Characters of an indicator's description. */
    descriptionLengthMax: 1_000,
  },
  ruleTest: {
    /** Bytes of a rule test's body, and its events. */
    bodyBytesMax: 5_242_880,
    eventsMax: 1_000,
  },
  lists: {
    /** Entries of one page of each list, by `limit`; a larger limit is reduced, with a warning. */
    alertsLimitMax: 500,
    incidentsLimitMax: 200,
    timelineLimitMax: 500,
    runsLimitMax: 200,
    rulesLimitMax: 500,
    matchesLimitMax: 500,
    auditLimitMax: 1_000,
    knownLimitMax: 500,
    searchLimitMax: 1_000,
    /** Events before or after one that `/around` returns, its default, and minutes in each direction. */
    aroundEventsMax: 500,
    aroundEventsDefault: 50,
    aroundMinutesMax: 1_440,
    aroundMinutesDefault: 15,
    /** Fields that a search can be restricted to, and characters of a field name. */
    searchFieldsMax: 100,
    /** Bars of the histogram of a search. */
    searchBucketsMin: 10,
    searchBucketsMax: 200,
    /** Newest matching events that facets count, facets that are chosen without names, values of one, and characters of a value. */
    facetEventsMax: 500,
    facetFieldsDefault: 12,
    facetValuesMax: 10,
    facetValueLengthMax: 256,
    /** Values that a histogram is split by: each is a search of its own, and more colours are hard to tell from each other. */
    splitValuesMax: 5,
    fieldNameLengthMax: 256,
    /** Characters of a comment on an alert, and comments of one alert: they are shown together. */
    commentLengthMax: 10_000,
    commentsMax: 1_000,
  },
  alertFigures: {
    /** Spans of a histogram of alerts: more bars than that stand on no screen. */
    bucketsMin: 10,
    bucketsMax: 200,
    /** Values of a facet. */
    facetValuesMax: 100,
  },
  failures: {
    /** Failures of a page, without a parameter and at most, and of one request to send them again. */
    pageDefault: 50,
    pageMax: 200,
    repeatIdsMax: 200,
    /** Characters of the id of a failure. */
    idLengthMax: 64,
  },
  ruleSummary: {
    /** Values of a facet, without a parameter and at most. */
    facetValuesDefault: 10,
    facetValuesMax: 100,
  },
  ruleBulk: {
    /** Rules of one change: all are stored in one transaction, which other writers wait for. */
    idsMax: 500,
  },
  alertBulk: {
    /** Alerts that one request changes. */
    alertsMax: 10_000,
  },
  state: {
    /** Characters of a search text: each row is scanned for it. */
    soughtLengthMax: 1_000,
  },
  connector: {
    /** Characters of a connector's name, of a text setting, and entries of a list setting. */
    nameLengthMax: 100,
    textLengthMax: 2_048,
    listMax: 100,
    /** Seconds between two polls, and of silence before a connector counts as degraded. */
    pollingSecondsMin: 5,
    pollingSecondsMax: 86_400,
    pollingSecondsDefault: 60,
    /** Seconds between two runs of a vulnerability scanner, at least and by default. */
    scannerSecondsMin: 300,
    scannerSecondsDefault: 3_600,
    /** Seconds between two polls of a feed of indicators, at least and by default, and days until one expires. */
    feedSecondsMin: 60,
    feedSecondsDefault: 3_600,
    feedDaysMax: 3_650,
    quietSecondsMax: 2_592_000,
    quietSecondsDefault: 900,
  },
  push: {
    /** Characters of a client's id, and of the position from which it requests a replay. */
    idLengthMax: 128,
    sinceLengthMax: 128,
    /** Milliseconds between two messages of a connection's tails, events and bytes of one, and events of a tail per second. */
    tailMs: 250,
    tailMessageEventsMax: 50,
    tailMessageBytesMax: 262_144,
    tailEventsMax: 200,
  },
  session: {
    /** Characters of the tenant that a login names. */
    tenantLengthMax: 128,
  },
} as const
