/** Every limit of the command line, with its unit and its reason. An error names the limit that is exceeded. */
export const limits = {
  /** Bytes of one input line. Audit events reach 1 MiB; a line is held in memory, and takes 20 times its size when parsed. */
  lineBytesMax: 4_194_304,
  /** Bytes of whole lines in one chunk, besides a line that began earlier: large enough to distribute, small enough for latency. */
  pieceBytesMax: 524_288,
  /** Bytes read from a file at once. */
  readBytesMax: 1_048_576,
  /**
   * Chunks that the reading thread may match ahead of the worker threads: new workers are slow at first, and its own
   * results wait to be printed in order behind theirs.
   */
  aheadMax: 32,
  /** Matches that `detect` keeps to print them together, as --output timeline, json, html and sarif do; more are only counted. */
  reportedMatchesMax: 200_000,
  /** Matches that the HTML of `detect` lists: browsers get slow with more rows. */
  htmlMatchesMax: 10_000,
  /** Hosts, users and steps of time that `detect` counts one by one. */
  totalledNamesMax: 10_000,
  /** Rules, hosts and users that totals list; --output json has all. */
  totalsShownMax: 50,
  /** Files that the options `--input` of one run stand for; a mistyped directory such as `/` fails early. */
  inputFilesMax: 100_000,
  /** Files of a directory that are named because they are left out; the rest are counted. */
  leftOutShownMax: 5,
  /** Malformed lines that are reported one by one; the rest are counted. */
  malformedShownMax: 20,
  /**
   * Bytes read of one rule file. UTF-8 takes at most three bytes per UTF-16 unit, so a text cut here
   * exceeds the engine's own limit of 1 Mi characters, and the engine refuses it with a diagnostic.
   */
  ruleFileBytesMax: 4_194_304,
  /** Rule files of one run: thirty times SigmaHQ; a mistyped path such as `/` fails early. */
  ruleFilesMax: 100_000,
  /** Bytes of the rules of a collection: ten times SigmaHQ with its tests. */
  collectionBytesMax: 268_435_456,
  /** Bytes of the archive of a collection, also unpacked: collections bring events and pictures, which are left out. */
  collectionArchiveBytesMax: 1_073_741_824,
  /** Rules of each kind that `rules update` lists for people; `--json` has all. */
  updateRulesShown: 40,
  /** Bytes of the events that `explain` reads: it prints a tree per event and rule, for people. */
  explainedBytesMax: 16_777_216,
  /** Bytes of the events of one regression test; SigmaHQ's have a few kilobytes. */
  regressionBytesMax: 16_777_216,
  /** Bytes of a token to decode, or of a key pair file. */
  tokenBytesMax: 65_536,
  /** Seconds that a test token may be valid: a year. */
  tokenSecondsMax: 31_536_000,
  /** Bytes of a file that an option names: values of placeholders, a pipeline, a mapping. The largest have a few thousand lines. */
  optionFileBytesMax: 4_194_304,
  /** Bytes of lines in one block of `bench`, as a reader would deliver them. */
  benchBlockBytesMax: 262_144,
  /** Bytes of the blocks that `bench` samples; of a longer input it takes evenly spaced blocks. */
  benchSampleBytesMax: 134_217_728,
  /** Seconds that `bench --seconds` accepts: an hour. */
  benchSecondsMax: 3_600,
  /** How often `bench` compiles each rule: with SigmaHQ's rules that makes 370,000 rules, which take gigabytes. */
  benchMultiplyMax: 100,
  /** Events below which `bench` warns that its times are noise: one garbage collection is a large part of a round. */
  benchEventsFew: 2_000,
  /** Rules times events that `bench` evaluates one by one to compare results before it times: about a second. */
  benchPlainPairsMax: 40_000_000,
  /** Events that `bench` processes to warm the code: the times of laps over 3,800 events are stable after 15 laps. */
  benchWarmEventsMin: 100_000,
  /** Laps over a small sample that warm the code, each with a new engine. */
  benchWarmLapsMax: 50,
  /** Milliseconds after which `bench` stops warming the code: 100,000 rules are slow. */
  benchWarmMsMax: 3_000,
  /** Events that `bench` times in one round: smaller samples repeat, so that one garbage collection does not decide. */
  benchLapEventsMin: 20_000,
  /** Laps over a small sample in one round, each with a new engine. */
  benchLapsMax: 20,
  /** The fewest rounds of `bench`: a median needs three. */
  benchRoundsMin: 3,
  /** The most rounds of `bench`: small inputs would have thousands. */
  benchRoundsMax: 101,
  /** Rules without a required literal that `rules cost` lists, on one line; `--json` has all. */
  costNamesMax: 10,
  /** Characters of a requirement that `rules cost` prints for people. */
  costRequirementMax: 100,
  /** Fields of a rule that `rules health` lists; `--json` has all. */
  healthFieldsMax: 10,
  /** Allowed lateness of `rules health`: a day, as in `detect`. */
  healthLatenessMs: 86_400_000,
  /** Events that `ingest` syncs at once: about a megabyte. */
  ingestBatchMax: 1_000,
  /** Rule files beside an open one that the language server reads: references lead there. */
  editorFilesMax: 500,
  /** Characters that a tool of `mcp` answers: assistants read all of them. */
  toolOutputMax: 200_000,
  /** Events that `search` shows. */
  searchLimitMax: 1_000,
  /** Messages that `watch --count` waits for. */
  watchedMax: 1_000_000,
  /** Rules, entities and matches that `hunt` prints for people; `--json` has more. */
  huntRulesShown: 50,
  huntEntitiesShown: 5,
  huntExamplesShown: 10,
  /** Seconds that `ready` waits at most, milliseconds in which a server must answer it, and between two questions. */
  readyWaitSecondsMax: 3_600,
  readyAnswerMs: 5_000,
  readyPauseMs: 100,
  /** Milliseconds between two updates of the progress bar. */
  progressIntervalMs: 100,
} as const
