import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { RuleSet } from '@tripline/engine'
import type { HuntComparison } from '@tripline/server/events'
import { hashCollection, hashFiles } from '../../collections/collection.ts'
import { compareReleases } from '../../collections/compare-releases.ts'
import { makeLive, readLiveRelease } from '../../collections/release-folder.ts'
import { HuntProgressBar, createAbortSignal } from '../../data-dir/hunt-progress.ts'
import { rangeOptions } from '../../data-dir/read-range.ts'
import { readStoredRange, storeOptions, withStoredEvents } from '../../data-dir/stored-events.ts'
import { checkNodeVersion } from '../../framework/check-node-version.ts'
import { usageError } from '../../framework/command-error.ts'
import { defineCommand } from '../../framework/command.ts'
import type { Context } from '../../framework/context.ts'
import { readNumber } from '../../framework/parse-number.ts'
import { ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { printUpdateJson, printUpdateText } from '../../output/print-update.ts'
import { readCompileOptions } from '../../rules/load-rules.ts'

/** Brings a folder of rules to a pinned release of a collection. */
export const rulesUpdateCommand = defineCommand({
  name: 'rules update',
  summary: 'Shows what a release of a rule collection changes, and makes it live.',
  operands: { usage: '<folder>', help: 'The folder of the collection, such as rules/sigma: new, empty, or written by this command.' },
  options: {
    source: {
      kind: 'text', value: '<path>', required: true,
      help: 'The collection: a folder, an archive (zip, tar, tar.gz) or a git repository on this machine, such as a mirror. '
        + 'Nothing is downloaded.',
    },
    release: {
      kind: 'text', value: '<name>', help: 'The tag or commit of a git repository; of a folder or an archive, a label to keep.',
    },
    path: {
      kind: 'repeated', value: '<folder>', help: 'A folder of the collection to take, such as rules. May be repeated. Default: all.',
    },
    sha256: {
      kind: 'text', value: '<hash>', help: 'Refuses another release: the hash of the rules as this command prints it, or of the archive.',
    },
    apply: { kind: 'flag', help: 'Makes the release live. Without it, nothing is written.' },
    hunt: {
      kind: 'flag', help: 'Also runs both releases over stored events, as hunt --compare does: which matches disappear, and which are new.',
    },
    'new-matches-max': {
      kind: 'text', value: '<number>',
      help: 'With --hunt, refuses a release that matches more often than this where the live one does not.',
    },
    ...storeOptions,
    ...rangeOptions,
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"folder","live","release","added","removed","changed","moved","broken","verdicts","comparison",'
        + '"refused","applied"}.',
    },
    ...ruleOptions,
  },
  notes: [
    'Rules are read from <folder> as from any other: its link "live" leads to the release, and is changed in one step when the release is '
      + 'there as a whole. The release before is kept in <folder>/.releases; to go back, name its folder as --source.',
    'The hash of a release is that of "sha256sum" over its files, in the order of their paths; release.json beside the rules has it, and '
      + 'that of each file. Files that were changed by hand are named.',
    'Exit codes: 0 shown or made live; 1 --new-matches-max refused it; 2 wrong arguments; 65 the source holds no rule, or not what '
      + '--sha256 states; 66 a path cannot be read; 74 the folder cannot be written.',
  ],
  async run({ options, operands: [folder = '', second] }, context) {
    if (second !== undefined) throw usageError(`one folder is taken, and '${second}' is another`)
    // The hunt loads the server.
    if (options.hunt) checkNodeVersion('rules update --hunt', context.nodeVersion)
    const newMatchesMax = readMatchesMax(options['new-matches-max'], options.hunt)
    // Loaded only here: no other command reads archives.
    const { readCollection } = await import('../../collections/read-collection.ts')
    const live = readLiveRelease(folder, context.cwd)
    const { source, release, path: paths } = options
    const collection = await readCollection({ source, release, paths }, context.cwd)
    const sha256 = hashCollection(hashFiles(collection.files))
    checkHash(options.sha256, [sha256, collection.origin.archiveSha256], source)
    const difference = compareReleases(live?.files ?? new Map(), collection.files, readCompileOptions(options, context))
    const comparison = options.hunt ? await compareMatches(difference.ruleSets, options, context) : undefined
    const addedCount = comparison?.added.count ?? 0
    const refusal = addedCount > newMatchesMax ? `${addedCount} matches are new, and --new-matches-max is ${newMatchesMax}` : undefined
    const isDifferent = live?.sha256 !== sha256 || live.changedByHand.length > 0
    const isApplied = options.apply && refusal === undefined && isDifferent
    if (isApplied) makeLive(folder, collection, context.cwd)
    const update = { folder, collection, sha256, live, difference, comparison, refusal, isApplied }
    await writeText(context.stdout, options.json ? printUpdateJson(update) : printUpdateText(update))
    return refusal === undefined ? exitCodes.ok : exitCodes.found
  },
})

function readMatchesMax(text: string | undefined, compares: boolean): number {
  if (text === undefined) return Infinity
  if (!compares) throw usageError("option '--new-matches-max' needs '--hunt'")
  return readNumber('--new-matches-max', text, { min: 0, max: Number.MAX_SAFE_INTEGER, isWhole: true })
}

function checkHash(wanted: string | undefined, found: readonly (string | undefined)[], source: string): void {
  if (wanted === undefined) return
  const hash = wanted.trim().toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hash)) throw usageError(`option '--sha256' is '${wanted}'; it takes 64 hexadecimal digits`)
  if (found.includes(hash)) return
  throw new ExitError(exitCodes.noData, `'${source}' is another release than --sha256 states: its rules have the hash ${found[0]}`)
}

type StoredRange = {
  readonly 'data-dir': string; readonly tenant: string; readonly from: string | undefined; readonly to: string | undefined
}

async function compareMatches(
  { before, after }: { readonly before: RuleSet; readonly after: RuleSet }, options: StoredRange, context: Context,
): Promise<HuntComparison> {
  const { compareHunts } = await import('@tripline/server/events')
  const { tenant, 'data-dir': directory } = options
  return await withStoredEvents({ directory, creates: false }, context, async (store) => {
    const range = await readStoredRange(store, options, context)
    const hunt = { tenant, ruleSet: before, ...range }
    const bar = new HuntProgressBar(hunt, context)
    try {
      return await compareHunts({ ...hunt, changed: after }, {
        store, elapsedMs: context.now, onProgress: bar.draw, signal: createAbortSignal(context),
      })
    } finally {
      bar.clear()
    }
  })
}
