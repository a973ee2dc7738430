/**
 * Every bound of the search language, with its unit and its reason (D-70). The first three are checked by one
 * scan of the text before it is parsed.
 */
export const limits = {
  /** Bytes of one query in UTF-8: what people write and links carry. */
  queryBytesMax: 4_096,
  /** Levels of parentheses and NOT: the parser, and all that walks its tree, recurses on them. */
  depthMax: 16,
  /** Terms of one query, which are its values: each is compared with every event that is searched. */
  termsMax: 64,
  /** Wildcards in one value: a search tries what stands between two of them at every place. */
  wildcardsMax: 32,
  /** Suggestions for one cursor: more than anybody reads. */
  suggestionsMax: 20,
  /** Fields and values of a catalog that are looked at for one cursor: it is asked at every key press. */
  catalogEntriesMax: 10_000,
  /** Values that a pattern with alternatives, such as the dashes of `windash`, is written out to in a query. */
  alternativesMax: 25,
  /** Parameters of one SQL condition: SQLite takes 32,766; what would need more is not pushed down. */
  sqlParametersMax: 10_000,
  /** Characters of a pattern for LIKE: SQLite refuses more than 50,000 bytes; a longer one is not pushed down. */
  sqlPatternLengthMax: 10_000,
  /** Levels of a predicate that is translated to SQL or printed: rules may be nested deeper than queries. */
  predicateDepthMax: 128,
} as const
