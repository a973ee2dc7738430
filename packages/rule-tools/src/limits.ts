/**
 * The limits of the tools for authors of rules, each with its unit and reason. Rules are bounded by the engine's limits
 * before: these bound what is compared and printed beside compiling.
 */
export const limits = {
  /** Lint findings reported for one source; the rest is only counted. */
  lintFindingsMax: 1_000,
  /** Custom attributes that lint compares with Sigma's own, letter by letter, to find typing errors. */
  lintAttributesMax: 200,
  /** Conditions of one rule that lint checks: SigmaHQ's rules have one. */
  lintConditionsMax: 100,
  /** Values of an item that lint compares with each other: beyond, only equal ones are found. */
  lintComparedValuesMax: 256,
  /** Items of a map on one field that lint compares with each other: keys are distinct, so real maps have two or three. */
  lintSameFieldItemsMax: 8,
  /** Pairs of values that lint compares to decide whether one selection implies another. */
  lintImpliedPairsMax: 20_000,
  /** Selections of a condition that lint tries in all combinations: 4,096 of them. */
  lintTriedSelectionsMax: 12,
  /** Edits of one fix, and roughly of all fixes applied at once: each is compared with the others. */
  lintEditsMax: 2_000,
  /** Rounds of fixes: edits that overlap wait for the next round. */
  lintFixRoundsMax: 8,
  /** Fixes of one round that are tried one by one, which compiles the text each time, if together they change its meaning. */
  lintSingleFixesMax: 50,
  /** Characters of one processing pipeline, steps of one list in it, and levels of nested lists. */
  pipelineCharactersMax: 1_048_576,
  pipelineItemsMax: 10_000,
  pipelineDepthMax: 16,
  /** Work units (each about a microsecond) that all pipelines take for one rule: one field may become many, again and again. */
  pipelineRuleWorkMax: 1_000_000,
  /** Conditions that pipelines add to one rule. */
  pipelineConditionsMax: 100,
  /** Fields that a correlation groups by after pipelines have renamed them. */
  pipelineGroupFieldsMax: 16,
  /** Characters of a field name and of a value that a step makes: a replacement may grow with each step. */
  pipelineFieldCharactersMax: 4_096,
  pipelineValueCharactersMax: 65_536,
  /** Conditions of a rule that is drafted from events, and of a filter: more where fewer do not tell events apart. */
  draftedConditions: 4,
  tunedConditions: 2,
  /** Tests of one rule: each runs in its own engine. */
  testsOfRuleMax: 1_000,
  /** Events of one test; repeated ones count each time. */
  testEventsMax: 10_000,
} as const
