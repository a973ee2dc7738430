import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { findRuntime } from './runtimes.ts'
import type { RuntimeName } from './runtimes.ts'

// The engine and the query language as one file, as a bundler makes it of a user's program, where there is no Node:
// the same matches on every runtime.

const folder = mkdtempSync(join(tmpdir(), 'tripline-portable-'))

/** A program as a user writes it: matches objects and bytes, correlates, explains, searches. */
const program = `
import { Engine, compileRules, explain } from '@tripline/engine'
import { compileQuery } from '@tripline/query'
const text = \`
title: Encoded
name: encoded
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301
logsource: { product: app }
detection: { selection: { cmd|contains|windash: ' -enc', user|re|i: '^a.+e$' }, condition: selection }
---
title: Twice
correlation: { type: event_count, rules: [encoded], group-by: [user], timespan: 1m, condition: { gte: 2 }, generate: true }
\`
export function answer() {
  const { ruleSet, reports } = compileRules(text)
  const events = [0, 1].map((minute) => ({
    _logsource: { product: 'app' }, '@timestamp': '2026-11-22T10:00:0' + minute + 'Z', cmd: 'powershell /enc \u00e9', user: 'Alice',
  }))
  const engine = new Engine(ruleSet)
  const matches = engine.push(events)
  const lines = new TextEncoder().encode(events.map((event) => JSON.stringify(event)).join('\\n'))
  const fromBytes = new Engine(ruleSet).pushBytes(lines).matches
  return JSON.stringify({
    verdicts: reports.map(({ verdict }) => verdict), matches, bytes: fromBytes.length,
    explained: explain(ruleSet.rules[0], events[0]).matched, rows: compileQuery('cmd:*enc* AND user:alice').findRows(events),
  })
}
`

/** The packages as the workspace has them. */
const packageAliases = [
  { find: /^@tripline\/engine$/, replacement: join(repositoryRoot, 'packages/engine/src/index.ts') },
  { find: /^@tripline\/query$/, replacement: join(repositoryRoot, 'packages/query/src/index.ts') },
]

const runners: { readonly [name: string]: readonly string[] } = {
  'node-20': [], 'node-22': [], 'node-24': [], 'node-26': [], bun: ['run'], deno: ['run', '--no-remote', '--no-npm'],
}

let expected: string

beforeAll(async () => {
  writeFileSync(join(folder, 'program.ts'), program)
  await build({
    root: folder, logLevel: 'error', configFile: false,
    resolve: { alias: packageAliases },
    build: {
      outDir: folder, emptyOutDir: false, minify: true,
      lib: { entry: 'program.ts', formats: ['es'], fileName: () => 'program.mjs' },
    },
  })
  writeFileSync(join(folder, 'print.mjs'), `import { answer } from './program.mjs'\nconsole.log(answer())\n`)
  expected = execFileSync(findRuntime('node-26'), [join(folder, 'print.mjs')], { encoding: 'utf8' }).trim()
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('the program finds what it looks for', () => {
  const { matches, ...rest } = JSON.parse(expected) as { readonly matches: readonly object[] }
  expect(matches).toHaveLength(3)
  expect(rest).toEqual({ verdicts: ['compiled', 'compiled'], bytes: 3, explained: true, rows: [0, 1] })
})

test.for(Object.entries(runners))('%s gives the same answer', { timeout: 120_000 }, ([name, args]) => {
  const printed = execFileSync(findRuntime(name as RuntimeName), [...args, join(folder, 'print.mjs')], { encoding: 'utf8' })
  expect(printed.trim()).toBe(expected)
})

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), (name = "program.mjs", esModule = embed "program.mjs")],
    compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`

test('workerd gives the same answer', { timeout: 120_000 }, async () => {
  writeFileSync(join(folder, 'worker.mjs'), `import { answer } from './program.mjs'
export default { fetch: () => new Response(answer()) }
`)
  writeFileSync(join(folder, 'workerd.capnp'), workerdConfig)
  const args = ['serve', '--control-fd=3', join(folder, 'workerd.capnp')]
  const child = spawn(findRuntime('workerd'), args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  try {
    const port = await readPort(child.stdio[3] as Readable)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect([response.status, await response.text()]).toEqual([200, expected])
  } finally {
    child.kill()
  }
})

/** Where workerd listens; it says so as a line of JSON. */
async function readPort(control: Readable): Promise<number> {
  let text = ''
  for await (const chunk of control) {
    text += String(chunk)
    const port = /"port":(\d+)/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error(`workerd ended before it listened: ${text}`)
}
