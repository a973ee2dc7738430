/** Every bound of the command line, with its unit and its reason. What is over one is refused by name. */
export const limits = {
  /** Bytes of one input line. Audit events reach 1 MiB; a line is held whole, and takes 20 times that when parsed. */
  lineBytesMax: 4_194_304,
  /** Bytes of lines handed over at once, beside one that began before: enough to share, few enough to answer soon. */
  pieceBytesMax: 524_288,
  /** Bytes read from a file at once. */
  readBytesMax: 1_048_576,
  /**
   * Pieces that the thread which reads may be ahead of other threads: new ones match slowly for a while, and what it
   * matched itself waits to be printed behind theirs.
   */
  aheadMax: 32,
  /** Malformed lines that are reported one by one; the rest are counted. */
  malformedShownMax: 20,
  /**
   * Bytes read of one rule file. UTF-8 takes at most three bytes for a UTF-16 unit, so whatever is cut here
   * is over the engine's own limit of 1 Mi characters, and the engine refuses it with a diagnostic.
   */
  ruleFileBytesMax: 4_194_304,
  /** Rule files of one run: thirty times SigmaHQ, and an early end for `/`. */
  ruleFilesMax: 100_000,
  /** Bytes of the events that `explain` reads: each event is explained once per rule, for people. */
  explainedBytesMax: 16_777_216,
  /** Bytes of the events of one regression test; SigmaHQ's have a few kilobytes. */
  regressionBytesMax: 16_777_216,
  /** Bytes of a token that is looked at, or of the file of a key pair. */
  tokenBytesMax: 65_536,
  /** Seconds that a token of an issuer of one's own may say to be good for: a year. */
  tokenSecondsMax: 31_536_000,
  /** Bytes of a file of placeholder values: user names and hosts, a few thousand. */
  placeholderBytesMax: 4_194_304,
  /** Bytes of the lines that one block of `bench` holds: what a reader hands on at once. */
  benchBlockBytesMax: 262_144,
  /** Bytes of the blocks that `bench` keeps of its input; of a longer one it takes blocks evenly spread. */
  benchSampleBytesMax: 134_217_728,
  /** Seconds that `bench` may be told to time: an hour. */
  benchSecondsMax: 3_600,
  /** How often `bench` compiles each rule: with SigmaHQ's rules some 370,000, which take gigabytes. */
  benchMultiplyMax: 100,
  /** Events below which `bench` says that its times mean little: one collection of garbage is a part of their rounds. */
  benchEventsFew: 2_000,
  /** Rules times events that `bench` compares one by one before it times: about a second. */
  benchPlainPairsMax: 40_000_000,
  /** Events that `bench` goes through before it times: the times of laps over 3,800 stay the same after 15 of them. */
  benchWarmEventsMin: 100_000,
  /** How often `bench` goes through few events before it times: each time with an engine of its own. */
  benchWarmLapsMax: 50,
  /** Milliseconds after which `bench` begins to time, however few events have passed: 100,000 rules are slow. */
  benchWarmMsMax: 3_000,
  /** Events that `bench` times in one round: fewer are gone through again, or one collection of garbage would decide. */
  benchLapEventsMin: 20_000,
  /** How often `bench` goes through few events in one round: each time with an engine of its own. */
  benchLapsMax: 20,
  /** Rounds of `bench`, however long they take: fewer have no middle. */
  benchRoundsMin: 3,
  /** Rounds of `bench` on small inputs, which would else be thousands. */
  benchRoundsMax: 101,
  /** Names of rules without a requirement that `rules cost` prints: a line; `--json` has all. */
  costNamesMax: 10,
  /** Characters of a requirement that `rules cost` prints for people. */
  costRequirementMax: 100,
  /** Fields that `rules health` names of a rule; `--json` has all. */
  healthFieldsMax: 10,
  /** How much older than the newest event one may be for `rules health` to correlate it: a day, as in `detect`. */
  healthLatenessMs: 86_400_000,
  /** Events of one group that `ingest` syncs: about a megabyte. */
  ingestBatchMax: 1_000,
  /** Events that `search` shows (D-67). */
  searchLimitMax: 1_000,
  /** Messages that `watch --count` waits for. */
  watchedMax: 1_000_000,
  /** Rules, entities and matches that `hunt` prints for people; `--json` has more. */
  huntRulesShown: 50,
  huntEntitiesShown: 5,
  huntExamplesShown: 10,
  /** Milliseconds between two drawings of the progress bar. */
  progressIntervalMs: 100,
} as const
