import type { TrailReport } from '@tripline/server/admin'
import { exitCodes, usageError } from './command-error.ts'
import { defineCommand } from './command.ts'
import { dataDirOptions, withDataDir } from './with-data-dir.ts'
import { writeText } from './write-text.ts'

/** Checks audit trails (C8). */
export const auditVerifyCommand = defineCommand({
  name: 'audit verify',
  summary: 'Checks that audit trails are what was written: nothing changed, added, missing or moved.',
  options: {
    ...dataDirOptions,
    tenant: { kind: 'text', value: '<id>', help: 'Whose trail; all of them where nobody is named.' },
    anchor: {
      kind: 'text', value: '<number:hash>', help: 'An entry that was noted earlier, which the trail of --tenant has to hold.',
    },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"ok","entries","trails":[{"tenant","ok","entries","first_seq","last_seq","head",'
        + '"broken_at","problem"}]}.',
    },
  },
  notes: [
    'Whoever can write the database can put back an older state of all of it, which the trail alone cannot tell: note the head '
      + 'of a trail somewhere else, and ask for it with --anchor.',
    'Exit codes: 0 all is well; 1 a trail is not what was written; 2 wrong arguments; 66 the data directory cannot be used.',
  ],
  async run({ options }, context) {
    const question = { tenant: options.tenant, anchor: readAnchor(options.anchor) }
    const isOfNobody = question.anchor !== undefined && question.tenant === undefined
    if (isOfNobody) throw usageError("option '--anchor' needs '--tenant <id>'")
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

/** What became of the check of trails, as JSON. */
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
