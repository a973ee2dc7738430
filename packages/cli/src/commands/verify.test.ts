import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

const folder = createFolder({})
afterAll(() => rmSync(folder, { recursive: true }))

const tripline = (line: string) => runCaptured(line, { cwd: folder })

/** What was asked of the data directory while a server ran on it. */
let besides: readonly (readonly [command: string, code: number, stderr: string])[] = []

beforeAll(async () => {
  await runCaptured(`serve --demo --listen 127.0.0.1:0 --data-dir ${folder}/served`, {
    untilPrinted: 'Sample events go on coming',
    untilInterrupted: async () => {
      const commands = ['verify', 'search', 'ingest', 'admin user list', 'admin tenant create acme', 'audit verify']
      besides = await Promise.all(commands.map(async (command) => {
        const { code, stderr } = await tripline(`${command} --data-dir served`)
        return [command, code, stderr] as const
      }))
    },
  })
})

/** Every file below a data directory, but for its empty lock. */
function contentsOf(dataDir: string): object {
  const entries = readdirSync(join(folder, dataDir), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(entries.filter(({ name }) => name !== 'held').map(({ parentPath, name }) =>
    [join(parentPath, name).slice(join(folder, dataDir).length), readFileSync(join(parentPath, name)).toString('latin1')]))
}

test('all that a server wrote is counted, and nothing of it is changed', async () => {
  const before = contentsOf('served')
  const { code, stdout } = await tripline('verify --data-dir served --json')
  const body = JSON.parse(stdout) as { readonly events: number; readonly log_records: number }
  const { events } = body
  expect(events).toBeGreaterThanOrEqual(77)
  const topic = (name: string, count: unknown) => ({ topic: name, files: expect.any(Number), messages: count, first_offset: 0, next_offset: count })
  const topics = [
    topic('dead-letters', 0), topic('normalized-events', events), topic('raw-events', events),
  ]
  const acme = expect.objectContaining({ tenant: 'acme', ok: true })
  const theirs = expect.objectContaining({ tenant: 'default', ok: true, head: expect.stringMatching(/^\d+:[0-9a-f]{64}$/) })
  expect({ code, body }).toEqual({
    code: 0,
    body: {
      ok: true, events, segments: 0, blocks: 0, log_records: body.log_records,
      bus: { topics, commits: expect.any(Number) },
      state: { version: expect.stringMatching(/^\d{4}-/), integrity: 'ok' },
      audit: { ok: true, entries: expect.any(Number), trails: [acme, theirs] },
      damaged: 0, first_damage: null,
    },
  })
  expect(contentsOf('served')).toEqual(before)
  expect((await tripline('verify --data-dir served')).stdout).toMatch(/^events: \d+ in [^]*\nall is well\n$/)
})

/** Changes a byte of a file, so far from its end. */
function spoil(path: string, fromEnd: number): void {
  const bytes = readFileSync(path)
  bytes[bytes.length - fromEnd]! ^= 1
  writeFileSync(path, bytes)
}

/** Changes the last place in a file that holds a text. */
function spoilLast(path: string, text: string): void {
  const bytes = readFileSync(path)
  spoil(path, bytes.length - bytes.lastIndexOf(text))
}

test.for<[title: string, damage: (dataDir: string) => void, first: object]>([
  ['a byte of a message', (dir) => spoilLast(join(dir, 'bus/topics/raw-events/00000001.log'), '"message"'),
    { file: 'bus/topics/raw-events/00000001.log', offset: expect.any(Number), problem: 'bytes without a valid record' }],
  ['a topic that is gone', (dir) => rmSync(join(dir, 'bus/topics/normalized-events/00000001.log')),
    { file: 'bus/topics/normalized-events', offset: 0, problem: expect.stringContaining('but the topic ends at offset 0') }],
  ['what is no database', (dir) => writeFileSync(join(dir, 'state.db'), 'nothing of the kind '.repeat(500)),
    { file: 'state.db', offset: null, problem: 'file is not a database' }],
  ['a page of the database', (dir) => spoilPage(join(dir, 'state.db')),
    { file: 'state.db', problem: expect.stringMatching(/malformed|page/i) }],
  ['an entry of a trail', (dir) => change(join(dir, 'state.db'), `update audit_entries set action = 'x' where tenant_id = 'default' and seq = 2`),
    { file: 'state.db', offset: null, problem: 'the audit trail of default is broken at entry 2: entry 2 was modified' }],
  ['keys that are gone', (dir) => rmSync(join(dir, 'keys.json')),
    { file: 'keys.json', offset: null, problem: expect.stringContaining('audit trails') }],
])('%s is found', async ([title, damage, first]) => {
  const dataDir = title.replaceAll(' ', '-')
  cpSync(join(folder, 'served'), join(folder, dataDir), { recursive: true })
  damage(join(folder, dataDir))
  const { code, stdout } = await tripline(`verify --data-dir ${dataDir} --json`)
  expect({ code, body: JSON.parse(stdout) }).toMatchObject({ code: 1, body: { ok: false, first_damage: first } })
})

function change(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  expect(Number(database.prepare(statement).run().changes)).toBe(1)
  database.close()
}

/** Has the first entry of the page at which the trails begin stand outside of it. */
function spoilPage(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('pragma wal_checkpoint(truncate)')
  const page = Number(database.prepare(`select rootpage from sqlite_schema where name = 'audit_entries'`).get()?.['rootpage'])
  const size = Number(database.prepare('pragma page_size').get()?.['page_size'])
  database.close()
  const bytes = readFileSync(path)
  bytes.fill(0xff, (page - 1) * size + 8, (page - 1) * size + 10)
  writeFileSync(path, bytes)
}

test('beside a server the state is worked on, and everything is verified', () => {
  const inUse = "tripline: data directory 'served' is in use: another process has its bus and events open\n"
  expect(besides).toEqual([
    ['verify', 0, ''],
    ['search', 66, inUse],
    ['ingest', 66, inUse],
    ['admin user list', 0, ''],
    ['admin tenant create acme', 0, ''],
    ['audit verify', 0, ''],
  ])
})

test('what only reads leaves a database of another version as it is', async () => {
  cpSync(join(folder, 'served'), join(folder, 'older'), { recursive: true })
  change(join(folder, 'older/state.db'), 'delete from kysely_migration where name = (select max(name) from kysely_migration)')
  const before = contentsOf('older')
  expect(await tripline('admin user list --data-dir older')).toMatchObject({ code: 66, stderr: expect.stringContaining('older schema') })
  expect((await tripline('audit verify --data-dir older')).code).toBe(0)
  expect((await tripline('verify --data-dir older')).code).toBe(0)
  expect(contentsOf('older')).toEqual(before)
})

test('a database of a newer version is not taken for a damaged one', async () => {
  cpSync(join(folder, 'served'), join(folder, 'newer'), { recursive: true })
  change(join(folder, 'newer/state.db'), `insert into kysely_migration (name, timestamp) values ('9999-of-the-future', '')`)
  const before = contentsOf('newer')
  for (const command of ['verify', 'audit verify', 'admin user list']) {
    const { code, stderr } = await tripline(`${command} --data-dir newer`)
    expect([code, stderr]).toEqual([66, expect.stringContaining('has schema version 9999-of-the-future, which this program does not know')])
  }
  expect(contentsOf('newer')).toEqual(before)
})
