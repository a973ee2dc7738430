import { compileRules } from '@tripline/engine'
import type { CompileOptions, RuleReport, RuleSet, RuleSource, Verdict } from '@tripline/engine'
import { getRuleId, readAttributeText, toPlainObject } from '@tripline/engine/authoring'
import { readYaml } from '@tripline/engine/yaml'
import { isTestFile } from '@tripline/rule-tools'
import type { CollectionFiles } from './collection.ts'

/** A rule of a release, as a difference names it. */
export type ReleasedRule = { readonly path: string; readonly id: string; readonly title: string; readonly level: string }

type ChangedRule = ReleasedRule & {
  /** The attributes that differ, such as `detection` and `level`. */
  readonly attributes: readonly string[]
}

/** What differs between two releases of a collection. */
export type ReleaseDifference = {
  readonly added: readonly ReleasedRule[]
  readonly removed: readonly ReleasedRule[]
  readonly changed: readonly ChangedRule[]
  /** Rules that are the same in another file. */
  readonly moved: readonly (ReleasedRule & { readonly from: string })[]
  readonly verdicts: { readonly before: VerdictCounts; readonly after: VerdictCounts }
  /** Rules that ran before and cannot now, with the first reason. */
  readonly broken: readonly (ReleasedRule & { readonly reason: string })[]
  readonly ruleSets: { readonly before: RuleSet; readonly after: RuleSet }
}

type VerdictCounts = { readonly [V in Verdict]: number }

/** Compares two releases rule by rule, and what becomes of each when it is compiled. */
export function compareReleases(before: CollectionFiles, after: CollectionFiles, options: CompileOptions): ReleaseDifference {
  const [old, now] = [compileRelease(before, options), compileRelease(after, options)]
  const pairs = pairDocuments(old.documents, now.documents)
  const changed: ChangedRule[] = []
  const moved: (ReleasedRule & { readonly from: string })[] = []
  const broken: (ReleasedRule & { readonly reason: string })[] = []
  for (const [document, earlier] of pairs) {
    const names = new Set([...Object.keys(earlier.attributes), ...Object.keys(document.attributes)])
    const isSame = (name: string): boolean => JSON.stringify(earlier.attributes[name]) === JSON.stringify(document.attributes[name])
    const attributes = [...names].filter((name) => !isSame(name))
    if (attributes.length > 0) changed.push({ ...document.rule, attributes })
    else if (earlier.rule.path !== document.rule.path) moved.push({ ...document.rule, from: earlier.rule.path })
    if (earlier.problem === undefined && document.problem !== undefined) broken.push({ ...document.rule, reason: document.problem })
  }
  const paired = new Set([...pairs].flat())
  const listUnpaired = ({ documents }: CompiledRelease): ReleasedRule[] => documents.flatMap((one) => paired.has(one) ? [] : [one.rule])
  return {
    added: listUnpaired(now), removed: listUnpaired(old), changed, moved, broken,
    verdicts: { before: old.verdicts, after: now.verdicts }, ruleSets: { before: old.ruleSet, after: now.ruleSet },
  }
}

type ReleasedDocument = {
  readonly rule: ReleasedRule
  readonly attributes: { readonly [name: string]: unknown }
  /** Why the rule does not run; undefined where it does. */
  readonly problem: string | undefined
}

type CompiledRelease = {
  readonly ruleSet: RuleSet
  readonly documents: readonly ReleasedDocument[]
  readonly verdicts: VerdictCounts
}

function compileRelease(files: CollectionFiles, options: CompileOptions): CompiledRelease {
  const sources = [...files].filter(([path]) => /\.ya?ml$/i.test(path) && !isTestFile(path))
    .map(([path, bytes]): RuleSource => ({ path, text: bytes.toString('utf8') }))
  const { reports, ruleSet } = compileRules(sources, options)
  const verdicts = { compiled: 0, needs_configuration: 0, unsupported: 0, invalid: 0 }
  for (const { verdict } of reports) verdicts[verdict]++
  const reportsOf = Map.groupBy(reports, ({ path }) => path)
  return { ruleSet, verdicts, documents: sources.flatMap((source) => readDocuments(source, reportsOf.get(source.path ?? '') ?? [])) }
}

/** The documents of a file with what became of each; none where it is no YAML, which its report says. */
function readDocuments({ path = '', text }: RuleSource, reports: readonly RuleReport[]): ReleasedDocument[] {
  const documents = readYaml(text).documents ?? []
  return documents.flatMap((node, i) => {
    if (node.kind !== 'map') return []
    const title = readAttributeText(node, 'title')
    // A rule without an id is known by its place: an id from its content would make each change an addition and a removal.
    const id = readAttributeText(node, 'id').trim() === '' ? `${path}#${i}` : getRuleId(node)
    // A document that others are merged with has no report of its own.
    const report = documents.length === reports.length ? reports[i] : reports.find((one) => one.id === id)
    const problem = report === undefined || report.verdict === 'compiled' ? undefined
      : report.diagnostics.find(({ kind }) => kind !== 'lint')?.message ?? report.verdict
    return [{ rule: { path, id, title, level: readAttributeText(node, 'level') }, attributes: toPlainObject(node.entries), problem }]
  })
}

/**
 * Pairs the rules of two releases by their ids. Of rules with one id, those of the same file are the same rule, then those with the
 * same content, then the others in their order.
 */
function pairDocuments(
  before: readonly ReleasedDocument[], after: readonly ReleasedDocument[],
): ReadonlyMap<ReleasedDocument, ReleasedDocument> {
  const earlier = Map.groupBy(before, ({ rule }) => rule.id)
  const pairs = new Map<ReleasedDocument, ReleasedDocument>()
  for (const [id, documents] of Map.groupBy(after, ({ rule }) => rule.id)) {
    const rest = [...earlier.get(id) ?? []]
    const pairBy = (printKey: (document: ReleasedDocument) => string): void => {
      for (const document of documents) {
        if (pairs.has(document)) continue
        const index = rest.findIndex((one) => printKey(one) === printKey(document))
        if (index >= 0) pairs.set(document, rest.splice(index, 1)[0]!)
      }
    }
    if (rest.length > 1 || documents.length > 1) {
      pairBy(({ rule, attributes }) => `${rule.path} ${JSON.stringify(attributes)}`)
      pairBy(({ rule }) => rule.path)
      pairBy(({ attributes }) => JSON.stringify(attributes))
    }
    pairBy(() => '')
  }
  return pairs
}
