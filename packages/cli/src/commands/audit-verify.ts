import { exitCodes } from '@tripline/common/exit-error'
import type { TrailReport } from '@tripline/server/admin'
import { dataDirOptions, withDataDir } from '../data-dir/with-data-dir.ts'
import { usageError } from '../framework/command-error.ts'
import { defineCommand } from '../framework/command.ts'
import { writeText } from '../framework/write-text.ts'

/** Checks audit trails. */
export const auditVerifyCommand = defineCommand({
  name: 'audit verify',
  needsServer: true,
  summary: 'Verifies that no audit entry was changed, added, removed or moved.',
  options: {
    ...dataDirOptions,
    tenant: { kind: 'text', value: '<id>', help: 'The tenant whose trail to verify. Default: all.' },
    anchor: {
      kind: 'text', value: '<number:hash>', help: 'An entry noted earlier, which the trail of --tenant must contain.',
    },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"ok","entries","trails":[{"tenant","ok","entries","first_seq","last_seq","head",'
        + '"broken_at","problem"}]}.',
    },
  },
  notes: [
    'The trail alone cannot reveal that the whole database was replaced by an older copy. To detect that, note the head of a '
      + 'trail outside the database and pass it as --anchor.',
    'Exit codes: 0 all trails are intact; 1 a trail is broken; 2 wrong arguments; 66 the data directory cannot be used.',
  ],
  async run({ options }, context) {
    const question = { tenant: options.tenant, anchor: readAnchor(options.anchor) }
    const lacksTenant = question.anchor !== undefined && question.tenant === undefined
    if (lacksTenant) throw usageError("option '--anchor' needs '--tenant <id>'")
    const { verifyTrails } = await import('@tripline/server/admin')
    const use = { directory: options['data-dir'], creates: false, use: 'inspect' } as const
    const reports = await withDataDir(use, context, (installation) => verifyTrails(installation, question))
    const isWell = reports.every(({ problem }) => problem === undefined)
    await writeText(context.stdout, options.json ? `${JSON.stringify(printTrails(reports))}\n` : reports.map(printTrail).join(''))
    return isWell ? exitCodes.ok : exitCodes.found
  },
})

function readAnchor(text: string | undefined) {
  if (text === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    throw usageError(`option '--anchor' is '${text}'; it takes the number and the hash of an entry, as 'head' of --json has them`)
  }
  return { seq: Number(seq), hash }
}

/** The result of verifying trails, as JSON. */
export function printTrails(reports: readonly TrailReport[]): object {
  return {
    ok: reports.every(({ problem }) => problem === undefined),
    entries: reports.reduce((sum, { entryCount }) => sum + entryCount, 0),
    trails: reports.map(({ tenant, entryCount, firstSeq, lastSeq, head, brokenAt, problem }) => ({
      tenant, ok: problem === undefined, entries: entryCount, first_seq: firstSeq, last_seq: lastSeq,
      head: head === undefined ? null : `${head.seq}:${head.hash}`, broken_at: brokenAt ?? null, problem: problem ?? null,
    })),
  }
}

function printTrail({ tenant, entryCount, brokenAt, problem }: TrailReport): string {
  const verdict = problem === undefined ? 'all is well' : `broken at entry ${brokenAt}: ${problem}`
  return `${tenant}: ${entryCount.toLocaleString('en')} entries; ${verdict}\n`
}
