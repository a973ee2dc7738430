import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

const folder = createFolder({})
afterAll(() => rmSync(folder, { recursive: true }))

let number = 0
let dataDir: string

const tripline = (line: string) => runCaptured(`${line} --data-dir ${dataDir}`, { cwd: folder })

beforeEach(async () => {
  dataDir = `data-${number++}`
  for (const id of ['acme', 'bolt']) await tripline(`admin tenant create ${id}`)
  for (const verb of ['disable', 'enable', 'disable']) await tripline(`admin tenant ${verb} acme`)
})

/** Changes the database behind the server's back. */
function tamper(statement: string): void {
  const database = new DatabaseSync(join(folder, dataDir, 'state.db'))
  expect(Number(database.prepare(statement).run().changes)).toBeGreaterThan(0)
  database.close()
}

test('trails that are as they were written', async () => {
  const { code, stdout } = await tripline('audit verify --json')
  const head = expect.stringMatching(/^\d+:[0-9a-f]{64}$/)
  const trail = { ok: true, first_seq: 1, head, broken_at: null, problem: null }
  const trails = [
    { tenant: 'acme', ...trail, entries: 4, last_seq: 4 },
    { tenant: 'bolt', ...trail, entries: 1, last_seq: 1 },
  ]
  expect({ code, body: JSON.parse(stdout) }).toEqual({ code: 0, body: { ok: true, entries: 5, trails } })
  expect((await tripline('audit verify')).stdout).toBe('acme: 4 entries; all is well\nbolt: 1 entries; all is well\n')
})

test.for<[title: string, statement: string, brokenAt: number]>([
  ['an entry that was changed', `update audit_entries set action = 'nothing' where tenant_id = 'acme' and seq = 2`, 2],
  ['an entry that is gone', `delete from audit_entries where tenant_id = 'acme' and seq = 3`, 3],
  ['a tail that is cut', `delete from audit_entries where tenant_id = 'acme' and seq > 2`, 3],
])('%s', async ([, statement, brokenAt]) => {
  tamper(statement)
  const { code, stdout } = await tripline('audit verify --json')
  const broken = { tenant: 'acme', ok: false, broken_at: brokenAt, problem: expect.any(String) }
  const body = { ok: false, trails: [broken, { tenant: 'bolt', ok: true }] }
  expect({ code, body: JSON.parse(stdout) }).toMatchObject({ code: 1, body })
  expect((await tripline('audit verify')).stdout).toContain(`acme: ${brokenAt - 1} entries; broken at entry ${brokenAt}: `)
  expect((await tripline('audit verify --tenant bolt')).code).toBe(0)
})

test('an entry that was noted elsewhere', async () => {
  const { stdout } = await tripline('audit verify --tenant acme --json')
  const { trails: [noted] } = JSON.parse(stdout) as { readonly trails: readonly { readonly head: string }[] }
  const { head } = noted!
  expect((await tripline(`audit verify --tenant acme --anchor ${head}`)).code).toBe(0)
  expect((await tripline(`audit verify --tenant acme --anchor 4:${'0'.repeat(64)}`)).code).toBe(1)
})
