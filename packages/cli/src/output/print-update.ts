import type { HuntComparison } from '@tripline/server/events'
import type { Collection, CollectionOrigin } from '../collections/collection.ts'
import type { ReleaseDifference, ReleasedRule } from '../collections/compare-releases.ts'
import type { PinnedRelease } from '../collections/release-folder.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { limits } from '../limits.ts'
import { printHuntComparison, toComparisonBody } from './print-hunt.ts'

/** What an update would change, or has changed. */
type RulesUpdate = {
  readonly folder: string
  readonly collection: Collection
  readonly sha256: string
  readonly live: PinnedRelease | undefined
  readonly difference: ReleaseDifference
  /** Matches in stored events, where they were asked for. */
  readonly comparison: HuntComparison | undefined
  /** Why it must not go live; undefined where it may. */
  readonly refusal: string | undefined
  readonly isApplied: boolean
}

/** Prints an update for people. */
export function printUpdateText(update: RulesUpdate): string {
  const { folder, collection, sha256, live, difference, comparison, refusal, isApplied } = update
  const { added, removed, changed, moved, broken, verdicts } = difference
  const lines = [
    ...(live === undefined ? [] : [`live: ${describeOrigin(live.origin)}, ${live.files.size} files, sha256 ${live.sha256}`]),
    `new:  ${describeOrigin(collection.origin)}, ${collection.files.size} files, sha256 ${sha256}`,
    ...(collection.origin.archiveSha256 === undefined ? [] : [`archive: sha256 ${collection.origin.archiveSha256}`]),
    ...(live === undefined || live.changedByHand.length === 0 ? [] : [
      `${live.changedByHand.length} files of the live release were changed by hand; they stay in its folder only:`,
      ...cut(live.changedByHand.map((path) => `  ! ${path}`)),
    ]),
    `${added.length} rules added, ${removed.length} removed, ${changed.length} changed, ${moved.length} moved; `
      + `${verdicts.before.compiled} run now, ${verdicts.after.compiled} with the update`,
    ...cut(added.map((rule) => `  + ${describeRule(rule)}`)),
    ...cut(removed.map((rule) => `  - ${describeRule(rule)}`)),
    ...cut(changed.map((rule) => `  ~ ${describeRule(rule)}: ${rule.attributes.join(', ')}`)),
    ...(broken.length === 0 ? [] : [`${broken.length} rules that run now cannot run with the update:`]),
    ...cut(broken.map((rule) => `  x ${describeRule(rule)}: ${rule.reason}`)),
  ].map((line) => `${escapeControl(line)}\n`).join('')
  const found = comparison === undefined ? '' : printHuntComparison(comparison, false)
  return `${lines}${found}${escapeControl(describeEnd({ folder, sha256, live, refusal, isApplied }))}\n`
}

function describeEnd({ folder, sha256, live, refusal, isApplied }: Omit<RulesUpdate, 'collection' | 'difference' | 'comparison'>): string {
  if (refusal !== undefined) return `not live: ${refusal}`
  if (isApplied) return `live: '${folder}' holds this release`
  if (live?.sha256 === sha256 && live.changedByHand.length === 0) return `'${folder}' holds this release already`
  return `not live yet; the same command with --apply --sha256 ${sha256} makes it live`
}

function describeOrigin({ source, kind, name, commit }: CollectionOrigin): string {
  const pinned = commit === undefined ? '' : ` commit ${commit.slice(0, 12)}`
  return `${kind} '${source}'${name === undefined ? '' : ` ${name}`}${pinned}`
}

function describeRule({ path, title, level }: ReleasedRule): string {
  return `${[title, ...(level === '' ? [] : [`(${level})`])].join(' ').trim()}  ${path}`.trim()
}

function cut(lines: readonly string[]): readonly string[] {
  const hidden = lines.length - limits.updateRulesShown
  return hidden <= 0 ? lines : [...lines.slice(0, limits.updateRulesShown), `    and ${hidden} more; --json has all`]
}

/** Prints an update as one JSON object. */
export function printUpdateJson({ folder, collection, sha256, live, difference, comparison, refusal, isApplied }: RulesUpdate): string {
  const { added, removed, changed, moved, broken, verdicts } = difference
  return `${JSON.stringify({
    folder,
    live: live === undefined ? null : {
      ...toOriginBody(live.origin), sha256: live.sha256, files: live.files.size, changed_by_hand: live.changedByHand,
    },
    release: {
      ...toOriginBody(collection.origin), sha256, files: collection.files.size, archive_sha256: collection.origin.archiveSha256 ?? null,
    },
    added, removed, changed, moved, broken, verdicts,
    comparison: comparison === undefined ? null : toComparisonBody(comparison),
    refused: refusal ?? null, applied: isApplied,
  })}\n`
}

function toOriginBody({ source, kind, name, commit }: CollectionOrigin): object {
  return { source, kind, release: name ?? null, commit: commit ?? null }
}
