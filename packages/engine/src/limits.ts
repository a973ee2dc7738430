/**
 * The limits of the engine, each with its unit and reason. The engine checks a limit before the work that it bounds. A
 * rule over a limit is rejected with a diagnostic that names it; an event over a limit still takes only linear time.
 */
export const limits = {
  /** Characters of one rule text. SigmaHQ's largest file has 295 KB; a text is scanned several times. */
  ruleTextLengthMax: 1_048_576,
  /** Documents of one rule text. */
  ruleDocumentsMax: 1_000,
  /** Levels of nesting in a rule's YAML; the reader checks it before any recursive code of ours runs. */
  ruleDepthMax: 32,
  /** Nodes of one rule text after the expansion of aliases: bounds alias bombs. */
  ruleNodesMax: 100_000,
  /** Aliases (`*name`) of one document. */
  ruleAliasesMax: 100,
  /** Log sources that one rule stands for where its attributes are lists: each is a key of the index. */
  logsourcesMax: 64,
  /** Selections of one rule: each quantifier of a condition is matched against all their names. */
  selectionsMax: 1_000,
  /** Values of one detection item before modifiers. SigmaHQ's longest list has 4,432. */
  itemValuesMax: 20_000,
  /** Alternatives that the modifiers of one item may generate from its values (`expand`, `base64offset`). */
  itemAlternativesMax: 100_000,
  /** Modifiers of one detection item. */
  itemModifiersMax: 16,
  /** Base64 modifiers in one chain: each `base64offset` triples the alternatives. */
  base64StepsMax: 3,
  /** Characters of one value of a rule. */
  valueLengthMax: 65_536,
  /** Wildcards for one character (`?`, the dashes of `windash`) in one value: a search tries each at every place. */
  singleWildcardsMax: 128,
  /** Characters of a condition. */
  conditionLengthMax: 65_536,
  /** Levels of parentheses and `not` in a condition: its parser recurses. */
  conditionDepthMax: 64,
  /** Selections that all quantifiers of a condition may refer to in total, such as `1 of them` a thousand times. */
  conditionReferencesMax: 10_000,
  /**
   * Comparisons of one rule after the expansion of its condition: one of 250 KB that repeats a long list would else have
   * millions. SigmaHQ's largest rule has 4,432.
   */
  ruleTestsMax: 100_000,
  /** Rules of one correlation: each match of one is compared with the other matches of the group. */
  correlationRulesMax: 64,
  /** Fields that a correlation groups by, and its aliases. */
  groupFieldsMax: 16,
  /** Alternatives of a temporal_ordered correlation's condition: each is matched in order. */
  correlationTermsMax: 256,
  /** Characters of a value that a correlation groups by or counts; longer ones are replaced by a hash. */
  groupValueLengthMax: 512,
  /** Groups of one event, which has several if a field that is grouped by is a list. */
  groupsOfEventMax: 32,
  /** Groups of one correlation: about 100 MB with one event each; the oldest are evicted first. */
  correlationGroupsMax: 1_000_000,
  /** Events of one group that are remembered to be shown with a match, unless the threshold of a count is larger. */
  matchEventsMax: 100,
  /** Numbers of one group that sums, averages and percentiles keep apart: more go into buckets, about 100 KB a group. */
  groupInstantsMax: 4_096,
  /** Events of one group whose values' shares are compared; the oldest go first, and the rule is degraded. */
  groupEventsMax: 10_000,
  /** Distinct values of one group that are counted, unless the threshold is larger. */
  groupValuesMin: 64,
  /** Distinct values that a match of a correlation carries for those that name it; beyond, it is degraded. */
  carriedValuesMax: 100,
  /** Judgements of one group that may be pending where each event that is not followed by another makes a match. */
  pendingAbsencesMax: 10_000,
  /** Largest threshold of a count: a group may have to store that many events. */
  correlationThresholdMax: 1_000_000,
  /** Events stored for all correlations of an engine together. */
  correlationEventsMax: 5_000_000,
  /** Keys of one suppression; the oldest are evicted first. */
  suppressedKeysMax: 100_000,
  /** Events of a ring buffer by default. */
  ringEventsMax: 100_000,
  /** Estimated bytes of the events of a ring buffer by default. */
  ringBytesMax: 134_217_728,
  /** Rules that one filter may refer to. */
  filterRulesMax: 10_000,
  /** Characters of a regular expression. */
  regexLengthMax: 4_096,
  /** Instructions of a compiled regular expression: its time is text times instructions. SigmaHQ's largest has 1,003. */
  regexProgramMax: 10_000,
  /** Estimated instructions above which an expression is rejected without being compiled: the estimate may be too high. */
  regexEstimateMax: 40_000,
  /** Nesting of groups in a regular expression that the lazy DFA runs: its parser recurses. SigmaHQ's have 3. */
  nfaDepthMax: 50,
  /** NFA states of such an expression, all of which may be active at once. SigmaHQ's largest has 567. */
  nfaStatesMax: 2_000,
  /** Size of one lazy DFA in integers of four bytes: two megabytes. When it is full, it is reset. */
  lazyDfaSizeMax: 524_288,
  /** Characters read for each DFA state built: with fewer, building states costs more than it saves. */
  lazyDfaReadsMin: 10,
  /** Resets of a lazy DFA after fewer characters than that; after them `re2js` runs the expression. */
  lazyDfaFutileResetsMax: 3,
  /** Characters of one diagnostic's message: it may quote the rule. */
  diagnosticLengthMax: 400,
  /** Diagnostics reported for one rule; the rest is only counted. */
  diagnosticsMax: 100,
  /** Distinct elements of the other field that `fieldref` searches for, unless it compares for equality. */
  fieldRefElementsMax: 1_000,
  /** Estimated bytes of the values in one match cache; a full cache is replaced by an empty one. */
  valueCacheBytesMax: 33_554_432,
  /** Equivalence classes of values in one match cache. */
  classesMax: 131_072,
  /** Size, in integers of four bytes, of the memo in one match cache that maps search hits to classes. */
  classMemoSizeMax: 2_097_152,
  /** Signatures, which are lists of the classes of an event's values, in one match cache. */
  signaturesMax: 131_072,
  /** Routes in one match cache, one for each list of logsources. Events may declare logsources of their own. */
  routesMax: 2_048,
  /** Spellings of field names in another case than in rules that are read without parsing the event. */
  spellingsMax: 256,
  /** Keys of events for which a rule set caches whether they differ from a field only in case. */
  cachedKeysMax: 10_000,
  /** Characters of the longest value that is cached: long ones hardly repeat. */
  cachedValueLengthMax: 2_048,
  /** Bytes of lines that the kernel reads at once: they stay in the processor's cache; a longer line is parsed instead. */
  kernelInputBytesMax: 262_144,
  /** Keys in the kernel's cache, a power of two; a full cache is cleared. */
  kernelKeysMax: 8_192,
  /** Bytes of those keys. */
  kernelKeyBytesMax: 1_048_576,
  /** Values with their class in the kernel's cache, a power of two; a full cache is cleared. */
  kernelValuesMax: 65_536,
  /** Bytes of those values. */
  kernelValueBytesMax: 16_777_216,
  /** Lists of found needles with their class in the kernel's cache, a power of two; a full cache is cleared. */
  kernelNeedleListsMax: 16_384,
  /** Signatures with their result in the kernel's cache, a power of two; a full cache is cleared. */
  kernelSignaturesMax: 65_536,
  /** Slots of the kernel: fields of rules under all their names. SigmaHQ's rules have some 900 fields. */
  kernelSlotsMax: 8_192,
  /** Programs of the kernel: distinct sets of rules that events are routed to. */
  kernelProgramsMax: 8_192,
  /** Domains of the kernel: sets of atoms that are evaluated on a value together. */
  kernelDomainsMax: 65_536,
  /** Literals of one line filter of the kernel. */
  kernelLiteralsMax: 16_384,
  /** Needles of one domain of the kernel: 50 MB plus their text; with more, the host searches the values. */
  kernelNeedlesMax: 1_048_576,
  /** Events that are matched together: enough to amortise a rule's loop, few enough for the processor's cache. */
  batchRowsMax: 1_024,
  /**
   * Elements of one list that are compared: each is compared with every pattern of its field. The CLI and the server
   * reject events with longer lists, so that no element is skipped silently.
   */
  eventListElementsMax: 10_000,
  /**
   * Values visited while the leaves of one event are collected for keywords; also ends the traversal of a cyclic object.
   * The CLI and the server reject events with more.
   */
  eventLeavesMax: 100_000,
  /** Logsources that one event may declare: each is looked up in the routes of the rules. */
  declaredLogsourcesMax: 16,
  /** Characters of one key of a declared logsource; SigmaHQ's longest has 42. */
  logsourceKeyLengthMax: 128,
  /** Distinct declared logsources that are interned. Events choose them. */
  internedLogsourcesMax: 1_024,
  /** Levels of nesting of an event's JSON text. Real ones stay below 20; for millions `JSON.parse` would take gigabytes. */
  eventDepthMax: 200,
  /** Characters of a JSON parser's message in an error about a line: the message quotes the line. */
  reasonLengthMax: 160,
  /** Levels of elements read in the data of a Windows event. Providers nest about six. */
  eventDataDepthMax: 32,
  /** Elements read in the data of a Windows event; the certificate chains of CAPI2 have some hundreds. */
  eventDataElementsMax: 100_000,
  /** Levels of an object in its JSON text, if a rule searches an object as text. */
  jsonTextDepthMax: 64,
  /** Texts and numbers in the printed form of a requirement: rules may require one of thousands. */
  printedNeedlesMax: 20,
  /** Characters of an event's value in an explanation. */
  explainedValueLengthMax: 4_096,
  /** Elements of a list in an explanation. */
  explainedListLengthMax: 100,
} as const
