/**
 * Every bound of the engine, with its unit and its reason. Each is checked before the work it bounds is
 * done; what is over a bound is refused with a diagnostic that names it, or (for events) handled in time
 * linear in the event's size.
 */
export const limits = {
  /** Characters of one rule text. SigmaHQ's largest file has 295 KB; a text is scanned several times. */
  ruleTextLengthMax: 1_048_576,
  /** Documents of one rule text. */
  ruleDocumentsMax: 1_000,
  /** Levels of nesting in a rule's YAML; checked by the reader before any of our recursive code runs. */
  ruleDepthMax: 32,
  /** Nodes of one rule text after aliases are expanded: what an alias bomb multiplies. */
  ruleNodesMax: 100_000,
  /** Aliases (`*name`) of one document. */
  ruleAliasesMax: 100,
  /** Selections of one rule: each quantifier of a condition looks at all their names. */
  selectionsMax: 1_000,
  /** Values of one detection item before modifiers. SigmaHQ's longest list has 4,432. */
  itemValuesMax: 20_000,
  /** Alternatives that the modifiers of one item may make of its values (`expand`, `base64offset`). */
  itemAlternativesMax: 100_000,
  /** Modifiers of one detection item. */
  itemModifiersMax: 16,
  /** Base64 modifiers in one chain: each `base64offset` makes three alternatives of one. */
  base64StepsMax: 3,
  /** Characters of one value of a rule. */
  valueLengthMax: 65_536,
  /** Wildcards for one character (`?`, the dashes of `windash`) in one value: a search tries each at every place. */
  singleWildcardsMax: 128,
  /** Characters of a condition. */
  conditionLengthMax: 65_536,
  /** Levels of parentheses and `not` in a condition: its parser recurses. */
  conditionDepthMax: 64,
  /** Selections that the quantifiers of a condition may name in all: `1 of them` times a thousand. */
  conditionReferencesMax: 10_000,
  /**
   * Comparisons of one rule once its condition names each selection as often as it does: a condition of
   * 250 KB over a long list would else be millions. SigmaHQ's largest rule makes 4,432.
   */
  ruleTestsMax: 100_000,
  /** Rules that one correlation may name: each match of one looks at the group's other ones. */
  correlationRulesMax: 64,
  /** Fields that a correlation groups by, and aliases that it has. */
  groupFieldsMax: 16,
  /** Alternatives of a temporal_ordered correlation's condition: each is looked for in order. */
  correlationTermsMax: 256,
  /** Characters of a value that a correlation groups by or counts; longer ones are told apart by a hash. */
  groupValueLengthMax: 512,
  /** Groups that one event may belong to, where a field that is grouped by holds a list. */
  groupsOfEventMax: 32,
  /** Groups that one correlation remembers: about 100 MB where each has an event; the oldest go first. */
  correlationGroupsMax: 1_000_000,
  /** Events that one group remembers, unless its threshold is larger. */
  groupEventsMax: 10_000,
  /** Largest threshold of a count: so many events a group may have to remember. */
  correlationThresholdMax: 1_000_000,
  /** Events that all correlations of an engine remember together. */
  correlationEventsMax: 5_000_000,
  /** Tests of one rule: each runs an engine of its own. */
  testsOfRuleMax: 1_000,
  /** Events of one test, repeated ones counted as often as they come. */
  testEventsMax: 10_000,
  /** Kinds of matches that one suppression remembers; the oldest go first. */
  suppressedKeysMax: 100_000,
  /** Events that a ring keeps, unless it is told otherwise. */
  ringEventsMax: 100_000,
  /** Bytes of memory, roughly, of those events. */
  ringBytesMax: 134_217_728,
  /** Rules that one filter may name. */
  filterRulesMax: 10_000,
  /** Characters of a regular expression. */
  regexLengthMax: 4_096,
  /** Steps of a compiled regular expression: its time is text times steps. SigmaHQ's largest has 1,003. */
  regexProgramMax: 10_000,
  /** Levels of groups in a regular expression that our own automaton runs: its parser recurses. SigmaHQ's have 3. */
  automatonDepthMax: 50,
  /** Steps of such an expression; a search may be at all of them at once. SigmaHQ's largest has 567. */
  automatonStepsMax: 2_000,
  /** Numbers of four bytes that one automaton learns while it searches: two megabytes. Then it begins anew. */
  automatonSizeMax: 524_288,
  /** Characters that are read for each state that is learned: with fewer, learning cost more than it saved. */
  automatonReadsMin: 10,
  /** How often an automaton may begin anew with fewer than those; then its expression is left to `re2js`. */
  automatonFutileMax: 3,
  /** Characters of one diagnostic's message: it may quote the rule. */
  diagnosticLengthMax: 400,
  /** Findings of lint kept of one source; the count of the rest is stated. */
  lintFindingsMax: 1_000,
  /** Attributes besides Sigma's own that lint compares with those, letter by letter. */
  lintAttributesMax: 200,
  /** Conditions of one rule that lint looks at: SigmaHQ's rules have one. */
  lintConditionsMax: 100,
  /** Values of an item that lint compares with each other: beyond, only equal ones are found. */
  lintComparedValuesMax: 256,
  /** Items of a map on one field that lint compares with each other: keys differ, so that real ones have two or three. */
  lintSameFieldItemsMax: 8,
  /** Pairs of values that lint compares to see whether one selection implies another. */
  lintImpliedPairsMax: 20_000,
  /** Selections of a condition that lint tries in all combinations: 4,096 of them. */
  lintTriedSelectionsMax: 12,
  /** Edits of one fix, and about as many of all that are applied at once: each is compared with the others. */
  lintEditsMax: 2_000,
  /** How often fixes are applied to what fixes left: edits that overlap wait for the next round. */
  lintFixRoundsMax: 8,
  /** Fixes of one round that are tried one by one, each of which compiles the text, where together they change its meaning. */
  lintSingleFixesMax: 50,
  /** Diagnostics kept of one rule; the count of the rest is stated. */
  diagnosticsMax: 100,
  /** Different elements of the other field that `fieldref` looks for, unless it compares for equality. */
  fieldRefElementsMax: 1_000,
  /** Bytes, roughly, of the values that a rule set remembers to find candidates faster; then it forgets them all. */
  knownValueBytesMax: 33_554_432,
  /** Classes of values, which are sets of atoms, that are remembered of a rule index; beyond, everything is forgotten. */
  classesMax: 131_072,
  /** Numbers of 32 bits for what was found and asked in values that gave a class, remembered of a rule index. */
  recollectionsMax: 2_097_152,
  /** Walks, which are lists of the classes that events met, that are remembered of a rule index. */
  walksMax: 131_072,
  /** Routes, one for each list of logsources that events had, that are remembered. Events may declare their own. */
  routesMax: 2_048,
  /** Spellings of field names in other cases than rules use that are read without parsing the event. */
  spellingsMax: 256,
  /** Keys of events of which a rule set remembers whether they are fields but for their case. */
  knownKeysMax: 10_000,
  /** Characters of the longest value that is remembered: long ones hardly repeat. */
  knownValueLengthMax: 2_048,
  /** Bytes of lines that the kernel reads at once: they stay in the processor's cache; a longer line is not for it. */
  kernelInputBytesMax: 262_144,
  /** Keys that the kernel remembers, a power of two; then it forgets them all. */
  kernelKeysMax: 8_192,
  /** Bytes of those keys. */
  kernelKeyBytesMax: 1_048_576,
  /** Values whose class the kernel remembers, a power of two; then it forgets them all. */
  kernelValuesMax: 65_536,
  /** Bytes of those values. */
  kernelValueBytesMax: 16_777_216,
  /** Lists of needles found in a value whose class the kernel remembers, a power of two; then it forgets them all. */
  kernelFoundMax: 16_384,
  /** Walks whose result the kernel remembers, a power of two; then it forgets them all. */
  kernelWalksMax: 65_536,
  /** Slots of the kernel: fields of rules under all their names. SigmaHQ's rules have some 900 fields. */
  kernelSlotsMax: 8_192,
  /** Programs of the kernel: different sets of rules that events are routed to. */
  kernelProgramsMax: 8_192,
  /** Domains of the kernel: sets of questions that are asked of a value together. */
  kernelDomainsMax: 65_536,
  /** Literals of one line filter of the kernel. */
  kernelLiteralsMax: 16_384,
  /** Needles that the kernel looks for in a value: 50 MB and their text; with more, it leaves the looking to its host. */
  kernelNeedlesMax: 1_048_576,
  /** Events that are matched together: enough to amortise a rule's loop, few enough to stay in cache. */
  batchRowsMax: 1_024,
  /**
   * Elements of one list that are compared: each is tried on every pattern of its field. Programs that
   * read events from strangers refuse those with longer lists, so that nothing is left out unseen.
   */
  eventListElementsMax: 10_000,
  /**
   * Values visited while one event's leaves are collected for keywords; also ends the walk of a cyclic
   * object. Programs that read events from strangers refuse those with more, as with long lists.
   */
  eventLeavesMax: 100_000,
  /** Logsources that one event may declare: each is looked up in the routes of the rules. */
  declaredLogsourcesMax: 16,
  /** Characters of one key of a declared logsource; SigmaHQ's longest has 42, and a longer one is no rule's. */
  logsourceKeyLengthMax: 128,
  /** Different declared logsources that are remembered, so that equal ones are one array. Events choose them. */
  internedLogsourcesMax: 1_024,
  /** Levels of nesting of an event's JSON text. Real ones stay below 20; `JSON.parse` alone would take gigabytes for millions. */
  eventDepthMax: 200,
  /** Characters of a JSON parser's message that tell why a line is no event: it quotes the line. */
  reasonLengthMax: 160,
  /** Levels of elements read in the data of a Windows event. Providers nest about six. */
  eventDataDepthMax: 32,
  /** Elements read in the data of a Windows event; the certificate chains of CAPI2 have some hundreds. */
  eventDataElementsMax: 100_000,
  /** Levels of an object that its JSON text shows, where a rule searches an object as text. */
  jsonTextDepthMax: 64,
  /** Texts and numbers that a requirement prints: rules may look for thousands. */
  printedNeedlesMax: 20,
  /** Characters of an event's value that an explanation prints. */
  explainedValueLengthMax: 4_096,
  /** Elements of a list that an explanation prints. */
  explainedListLengthMax: 100,
} as const
