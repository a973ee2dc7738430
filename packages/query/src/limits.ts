/**
 * The limits of the search language, each with its unit and reason. The tokenizer checks the first three before the text
 * is parsed.
 */
export const limits = {
  /** Bytes of one query in UTF-8: enough for people, and short enough for links. */
  queryBytesMax: 4_096,
  /** Levels of parentheses and NOT: the parser, and every traversal of its tree, recurses on them. */
  depthMax: 16,
  /** Terms of one query: each is compared with every event that is searched. */
  termsMax: 64,
  /** Wildcards in one value: a search tries the text between two of them at every place. */
  wildcardsMax: 32,
  /** Suggestions for one cursor: more than a user reads. */
  suggestionsMax: 20,
  /** Fields and values of a catalog that are examined for one cursor: completion runs on every key press. */
  catalogEntriesMax: 10_000,
  /** Values that a pattern with alternatives, such as the dashes of `windash`, may expand to in a query. */
  alternativesMax: 25,
  /** Parameters of one SQL condition: SQLite accepts 32,766; a condition with more is not pushed down. */
  sqlParametersMax: 10_000,
  /** Characters of a LIKE pattern: SQLite rejects more than 50,000 bytes; a longer one is not pushed down. */
  sqlPatternLengthMax: 10_000,
  /** Levels of a predicate that is translated to SQL or printed: rules may nest deeper than queries. */
  predicateDepthMax: 128,
  /** Warnings about one query. */
  warningsMax: 10,
} as const
