import { exitCodes } from './command-error.ts'
import { defineCommand } from './command.ts'
import { printable } from './printable.ts'
import { storeOptions, withStoredEvents } from './stored-events.ts'
import { writeText } from './write-text.ts'

/** Reads all stored events and checks them (C8). */
export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Reads all stored events and checks that they are what was written.',
  options: {
    'data-dir': storeOptions['data-dir'],
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"events","segments","blocks","log_records","damaged","first_damage":{"file","offset","problem"}}.',
    },
  },
  notes: ['Exit codes: 0 all is well; 1 something is damaged; 2 wrong arguments; 66 the data directory cannot be read.'],
  async run({ options }, context) {
    const found = await withStoredEvents({ directory: options['data-dir'], creates: false }, context, (store) => store.verify())
    const { eventCount, segmentCount, blockCount, logRecordCount, damagedCount, firstDamage } = found
    if (options.json) {
      await writeText(context.stdout, JSON.stringify({
        events: eventCount, segments: segmentCount, blocks: blockCount, log_records: logRecordCount, damaged: damagedCount,
        first_damage: firstDamage ?? null,
      }) + '\n')
    } else {
      const damage = firstDamage === undefined ? 'all is well'
        : `${damagedCount} damaged, first ${firstDamage.file} at byte ${firstDamage.offset}: ${firstDamage.problem}`
      await writeText(context.stdout, `${eventCount.toLocaleString('en')} events in ${blockCount} blocks of ${segmentCount} segments `
        + `and ${logRecordCount} records of the log; ${printable(damage)}\n`)
    }
    return damagedCount > 0 ? exitCodes.found : exitCodes.ok
  },
})
