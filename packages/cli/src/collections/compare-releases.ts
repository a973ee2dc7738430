import { compileRules } from '@tripline/engine'
import type { CompileOptions, RuleSet, RuleSource, Verdict } from '@tripline/engine'
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
  const changed: ChangedRule[] = []
  const moved: (ReleasedRule & { readonly from: string })[] = []
  for (const [id, document] of now.documents) {
    const earlier = old.documents.get(id)
    if (earlier === undefined) continue
    const names = new Set([...Object.keys(earlier.attributes), ...Object.keys(document.attributes)])
    const isSame = (name: string): boolean => JSON.stringify(earlier.attributes[name]) === JSON.stringify(document.attributes[name])
    const attributes = [...names].filter((name) => !isSame(name))
    if (attributes.length > 0) changed.push({ ...document.rule, attributes })
    else if (earlier.rule.path !== document.rule.path) moved.push({ ...document.rule, from: earlier.rule.path })
  }
  const broken = now.reports.flatMap(({ id, path, title, verdict, diagnostics }) => {
    const reason = diagnostics.find(({ kind }) => kind !== 'lint')?.message ?? verdict
    if (verdict === 'compiled' || !old.compiled.has(id)) return []
    return [{ id, path, title, level: now.documents.get(id)?.rule.level ?? '', reason }]
  })
  return {
    added: listOnlyIn(now, old), removed: listOnlyIn(old, now), changed, moved, broken,
    verdicts: { before: old.verdicts, after: now.verdicts }, ruleSets: { before: old.ruleSet, after: now.ruleSet },
  }
}

type ReleasedDocument = { readonly rule: ReleasedRule; readonly attributes: { readonly [name: string]: unknown } }

type CompiledRelease = Pick<ReturnType<typeof compileRules>, 'reports' | 'ruleSet'> & {
  readonly documents: ReadonlyMap<string, ReleasedDocument>
  readonly compiled: ReadonlySet<string>
  readonly verdicts: VerdictCounts
}

function compileRelease(files: CollectionFiles, options: CompileOptions): CompiledRelease {
  const sources = [...files].filter(([path]) => /\.ya?ml$/i.test(path) && !isTestFile(path))
    .map(([path, bytes]): RuleSource => ({ path, text: bytes.toString('utf8') }))
  const { reports, ruleSet } = compileRules(sources, options)
  const verdicts = { compiled: 0, needs_configuration: 0, unsupported: 0, invalid: 0 }
  for (const { verdict } of reports) verdicts[verdict]++
  const documents = new Map(sources.flatMap(readDocuments).map((document) => [document.rule.id, document]))
  const compiled = new Set(reports.filter(({ verdict }) => verdict === 'compiled').map(({ id }) => id))
  return { reports, ruleSet, verdicts, documents, compiled }
}

/** The documents of a file; none where it is no YAML, which its report says. */
function readDocuments({ path = '', text }: RuleSource): ReleasedDocument[] {
  const documents = readYaml(text).documents ?? []
  return documents.flatMap((node, i) => {
    if (node.kind !== 'map') return []
    const title = readAttributeText(node, 'title')
    // A rule without an id is known by its place: an id from its content would make each change an addition and a removal.
    const id = readAttributeText(node, 'id').trim() === '' ? `${path}#${i}` : getRuleId(node)
    return [{ rule: { path, id, title, level: readAttributeText(node, 'level') }, attributes: toPlainObject(node.entries) }]
  })
}

function listOnlyIn(one: CompiledRelease, other: CompiledRelease): ReleasedRule[] {
  return [...one.documents].filter(([id]) => !other.documents.has(id)).map(([, { rule }]) => rule)
}
