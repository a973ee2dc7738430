import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { findRuntime } from './runtimes.ts'
import type { RuntimeName } from './runtimes.ts'

// The engine and the query language, as a bundler makes them of a user's program, where there is no Node: the same matches on
// every runtime, from rules as text and from rules that were saved.

const folder = mkdtempSync(join(tmpdir(), 'tripline-portable-'))

/** A program as a user writes it: matches objects and bytes, correlates, explains, searches. */
const program = `
import { Engine, compileRules, explain, saveRuleSet } from '@tripline/engine'
import { compileQuery } from '@tripline/query'
const text = \`
title: Encoded
name: encoded
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301
logsource: { product: app }
detection: { selection: { cmd|contains|windash: ' -enc', user|re|i: '^a.+é$' }, condition: selection }
---
title: Twice
correlation: { type: event_count, rules: [encoded], group-by: [user], timespan: 1m, condition: { gte: 2 }, generate: true }
\`
export const events = [0, 1].map((second) => ({
  _logsource: { product: 'app' }, '@timestamp': '2026-11-22T10:00:0' + second + 'Z', cmd: 'powershell /enc \u00e9', user: 'Alicé',
}))
export const save = () => Array.from(saveRuleSet(compileRules(text).ruleSet))
export function answer() {
  const { ruleSet, reports } = compileRules(text)
  const engine = new Engine(ruleSet)
  const matches = engine.push(events)
  const lines = new TextEncoder().encode(events.map((event) => JSON.stringify(event)).join('\\n'))
  const fromBytes = new Engine(ruleSet).pushBytes(lines).matches
  return {
    verdicts: reports.map(({ verdict }) => verdict), matches, bytes: fromBytes.length,
    explained: explain(ruleSet.rules[0], events[0]).matched, rows: compileQuery('cmd:*enc* AND user:alicé').findRows(events),
  }
}
`

/** A program that runs rules which were saved, and has no YAML. */
const runProgram = `
import { Engine, loadRuleSet } from '@tripline/engine/run'
export async function run(bytes, events, options) {
  const engine = new Engine(await loadRuleSet(bytes, options))
  return engine.push(events)
}
`

/** The packages as the workspace has them. */
const packageAliases = [
  { find: /^@tripline\/engine\/run$/, replacement: join(repositoryRoot, 'packages/engine/src/run-api.ts') },
  { find: /^@tripline\/engine$/, replacement: join(repositoryRoot, 'packages/engine/src/index.ts') },
  { find: /^@tripline\/query$/, replacement: join(repositoryRoot, 'packages/query/src/index.ts') },
]

const runners: { readonly [name: string]: readonly string[] } = {
  'node-20': [], 'node-22': [], 'node-24': [], 'node-26': [], bun: ['run'], deno: ['run', '--no-remote', '--no-npm'],
}

/** What every runtime runs: all answers as one text. */
const printed = `
import { answer, events } from './program.js'
import { run } from './run.js'
import { saved } from './saved.js'
export const print = async () => {
  const answers = answer()
  const [withKernel, without] = [await run(saved, events), await run(saved, events, { kernel: false })]
  return JSON.stringify({ ...answers, saved: withKernel, isSameWithoutKernel: JSON.stringify(withKernel) === JSON.stringify(without) })
}
`

let expected: string
let chunks: readonly Rolldown.OutputChunk[]
/** What the bundler adds to every program that imports on demand. */
let loader: readonly Rolldown.OutputChunk[]

beforeAll(async () => {
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'run.ts'), runProgram)
  writeFileSync(join(folder, 'loader.ts'), "export const load = () => import('./later.ts')\n")
  writeFileSync(join(folder, 'later.ts'), 'export const later = 1\n')
  loader = await bundle('loader')
  chunks = [...await bundle('run'), ...await bundle('program')]
  writeFileSync(join(folder, 'all.mjs'), printed.replaceAll(".js'", ".mjs'"))
  writeFileSync(join(folder, 'save.mjs'), `import { save } from './program.mjs'\nconsole.log('export const saved = Uint8Array.from([' + save() + '])')\n`)
  writeFileSync(join(folder, 'saved.mjs'), execFileSync(findRuntime('node-26'), [join(folder, 'save.mjs')]))
  writeFileSync(join(folder, 'print.mjs'), `import { print } from './all.mjs'\nconsole.log(await print())\n`)
  expected = execFileSync(findRuntime('node-26'), [join(folder, 'print.mjs')], { encoding: 'utf8' }).trim()
}, 900_000)

afterAll(() => rmSync(folder, { recursive: true }))

/** Bundles a program as for a page: what it imports on demand stays in files of its own. */
async function bundle(name: string): Promise<readonly Rolldown.OutputChunk[]> {
  const names = { entryFileNames: '[name].mjs', chunkFileNames: `${name}-[name].mjs` }
  const built = await build({
    root: folder, logLevel: 'error', configFile: false,
    resolve: { alias: packageAliases },
    build: {
      outDir: folder, emptyOutDir: false, minify: true, modulePreload: false,
      rolldownOptions: { input: join(folder, `${name}.ts`), preserveEntrySignatures: 'strict', output: names },
    },
  })
  const { output } = built as Rolldown.RolldownOutput
  return output.filter((file) => file.type === 'chunk')
}

/** A chunk and all that it imports before it runs. */
function listStaticFiles(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const imported of chunks.find(({ fileName }) => fileName === name)!.imports) listStaticFiles(imported, found)
  return found
}

test('the program finds what it looks for', () => {
  const { matches, saved, ...rest } = JSON.parse(expected) as { readonly matches: readonly object[]; readonly saved: readonly object[] }
  expect(matches).toHaveLength(3)
  expect(saved).toEqual(matches)
  expect(rest).toEqual({ verdicts: ['compiled', 'compiled'], bytes: 3, explained: true, rows: [0, 1], isSameWithoutKernel: true })
})

test('saved rules need less than 60 kB, compressed, and neither YAML nor RE2 before a rule asks for it', () => {
  const files = chunks.filter(({ fileName }) => listStaticFiles('run.mjs').has(fileName))
  const packages = files.flatMap(({ moduleIds }) => moduleIds.filter((id) => /js-yaml|re2js/.test(id)))
  expect(packages).toEqual([])
  const measure = (code: string): number => gzipSync(code).length
  const ofLoader = measure(loader.find(({ fileName }) => fileName === 'loader.mjs')!.code)
  const size = files.reduce((sum, { code }) => sum + measure(code), -ofLoader)
  process.stderr.write(`@tripline/engine/run: ${size} bytes compressed, and ${ofLoader} of the bundler\n`)
  expect(size).toBeLessThan(60_000)
})

test.for(Object.entries(runners))('%s gives the same answer', ([name, args]) => {
  const printed = execFileSync(findRuntime(name as RuntimeName), [...args, join(folder, 'print.mjs')], { encoding: 'utf8' })
  expect(printed.trim()).toBe(expected)
})

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [MODULES],
    compatibilityDate = "2026-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`

test('workerd gives the same answer', async () => {
  writeFileSync(join(folder, 'worker.mjs'), `import { print } from './all.mjs'
export default { fetch: async () => new Response(await print()) }
`)
  const modules = ['worker.mjs', ...listModules().filter((name) => name !== 'worker.mjs')].map((name) => `(name = "${name}", esModule = embed "${name}")`)
  writeFileSync(join(folder, 'workerd.capnp'), workerdConfig.replace('MODULES', modules.join(', ')))
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

const browserPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const lacksBrowser = !existsSync(browserPath) && process.env['TRIPLINE_REQUIRE_BROWSER'] === undefined
if (lacksBrowser) process.stderr.write(`No browser at ${browserPath}: the engine is NOT tested in one. Debian: apt-get install chromium\n`)

test.skipIf(lacksBrowser)('Chromium gives the same answer', async () => {
  const site = createServer(({ url = '/' }, response) => {
    const name = basename(url)
    response.setHeader('content-type', extname(name) === '.mjs' ? 'text/javascript' : 'text/html')
    response.end(listModules().includes(name) ? readFileSync(join(folder, name)) : '<!doctype html><title>Tripline</title>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    const answer = await page.evaluate(`import('/all.mjs').then(({ print }) => print())`)
    expect(answer).toBe(expected)
  } finally {
    await browser.close()
    site.close()
  }
})

function listModules(): readonly string[] {
  return readdirSync(folder).filter((name) => extname(name) === '.mjs' && !['print.mjs', 'save.mjs'].includes(name))
}

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
