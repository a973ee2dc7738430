import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DataVerification } from '@tripline/server/admin'
import { createUnusableError } from '../data-dir/stored-events.ts'
import { dataDirOptions } from '../data-dir/with-data-dir.ts'
import { defineCommand } from '../framework/command.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { writeText } from '../framework/write-text.ts'
import { printTrails } from './audit-verify.ts'

/** Reads everything in a data directory and checks it. */
export const verifyCommand = defineCommand({
  name: 'verify',
  needsServer: true,
  summary: 'Checks a data directory for damage, without changing it.',
  options: {
    'data-dir': { ...dataDirOptions['data-dir'], help: "The server's data directory; a server may run on it." },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"ok","events","segments","blocks","log_records","bus":{"topics":[{"topic","files","messages",'
        + '"first_offset","next_offset"}],"commits"},"state":{"version","integrity"},"audit":{"entries","trails"},"damaged",'
        + '"first_damage":{"file","offset","problem"}}. Parts that the directory lacks are null.',
    },
  },
  notes: [
    'Checks the events, the bus, the state database, and its audit trails as tripline audit verify does.',
    'Beside a running server, what it is writing counts when it is written. The server verifies its directory itself each day.',
    'Exit codes: 0 no damage; 1 damage found; 2 wrong arguments; 66 the data directory cannot be read, or a newer version wrote to it.',
  ],
  async run({ options }, context) {
    const directory = options['data-dir']
    const dataDir = resolve(context.cwd, directory)
    checkDataDir(directory, dataDir)
    const { verifyData } = await import('@tripline/server/admin')
    const found = await verifyData(dataDir).catch((error: unknown) => {
      throw createUnusableError(directory, error)
    })
    const text = options.json ? `${JSON.stringify(printVerification(found))}\n` : printLines(found).map((line) => `${line}\n`).join('')
    await writeText(context.stdout, text)
    return found.damagedCount > 0 ? exitCodes.found : exitCodes.ok
  },
})

function checkDataDir(directory: string, dataDir: string): void {
  const kept = ['events', 'bus', 'state.db'].some((name) => statSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined)
  if (!kept) throw new ExitError(exitCodes.unreadable, `data directory '${directory}' holds nothing to verify`)
}

function printVerification({ events, bus, state, trails, damagedCount, firstDamage }: DataVerification): object {
  return {
    ok: damagedCount === 0,
    events: events?.eventCount ?? null,
    segments: events?.segmentCount ?? null,
    blocks: events?.blockCount ?? null,
    log_records: events?.logRecordCount ?? null,
    bus: bus === undefined ? null : {
      topics: bus.topics.map(({ topic, fileCount, messageCount, firstOffset, nextOffset }) => {
        return { topic, files: fileCount, messages: messageCount, first_offset: firstOffset, next_offset: nextOffset }
      }),
      commits: bus.commitCount,
    },
    state: state === undefined ? null : { version: state.version ?? null, integrity: state.problems[0]?.problem ?? 'ok' },
    audit: trails === undefined ? null : printTrails(trails),
    damaged: damagedCount,
    first_damage: firstDamage === undefined ? null : { ...firstDamage, offset: firstDamage.offset ?? null },
  }
}

function printLines({ events, bus, state, trails, damagedCount, firstDamage }: DataVerification): string[] {
  const lines: string[] = []
  const count = (number: number) => number.toLocaleString('en')
  if (events !== undefined) {
    const { eventCount, blockCount, segmentCount, logRecordCount } = events
    lines.push(`events: ${count(eventCount)} in ${blockCount} blocks of ${segmentCount} segments and ${logRecordCount} records of the log`)
  }
  if (bus !== undefined) {
    const messageCount = bus.topics.reduce((sum, topic) => sum + topic.messageCount, 0)
    lines.push(`bus: ${count(messageCount)} messages of ${bus.topics.length} topics`)
  }
  if (state !== undefined) lines.push(`state: ${state.version === undefined ? 'damaged' : `version ${state.version}`}`)
  for (const { tenant, entryCount, head } of trails ?? []) {
    lines.push(`audit trail of ${tenant}: ${count(entryCount)} entries${head === undefined ? '' : `, head ${head.seq}:${head.hash}`}`)
  }
  const { file, offset, problem } = firstDamage ?? {}
  const place = offset === undefined ? file : `${file} at byte ${offset}`
  return [...lines, firstDamage === undefined ? 'all is well' : escapeControl(`${damagedCount} damaged, first ${place}: ${problem}`)]
}
