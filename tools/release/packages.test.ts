import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModules } from '../parse-markdown.ts'
import { readText, repositoryRoot } from '../workspace.ts'
import { packageManager } from './pack.ts'
import type { PackedPackage } from './pack.ts'
import { packOnce } from './pack-once.ts'
import { listPackedFiles, readPackedManifest, readPackedMaps, startPackageRegistry } from './package-registry.ts'
import type { PackageRegistry } from './package-registry.ts'
import { getProgramPath, programs } from './programs.ts'
import { findRuntime } from './runtimes.ts'
import type { RuntimeName } from './runtimes.ts'

// Packs all packages as they would be published, installs them in empty projects outside the repository, from a registry
// on loopback, and uses them there as a user would, on each Node that they are made for.

const folder = mkdtempSync(join(tmpdir(), 'tripline-packages-'))
const example = (name: string): string => readText(`packages/cli/examples/${name}`)
const detect = ['tripline', 'detect', 'whoami.yml', '--input', 'events.ndjson'] as const
const names = [
  'tripline', '@tripline/client', '@tripline/collector', '@tripline/common', '@tripline/compliance', '@tripline/console', '@tripline/contract',
  '@tripline/detection', '@tripline/engine', '@tripline/formats', '@tripline/model', '@tripline/pool', '@tripline/query', '@tripline/rule-tools', '@tripline/server',
  '@tripline/sources', '@tripline/state', '@tripline/storage',
]
let packed: readonly PackedPackage[]
let registry: PackageRegistry
let npmProject: string

beforeAll(async () => {
  packed = packOnce()
  registry = await startPackageRegistry(packed, execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim())
  npmProject = createProject('npm-project')
  await install('npm', ['install', '--no-audit', '--no-fund', 'tripline', '@tripline/server', '@tripline/engine', '@tripline/query', '@tripline/collector'], npmProject)
}, 900_000)

afterAll(async () => {
  await registry?.close()
  rmSync(folder, { recursive: true })
})

test('every package of the workspace is packed', () => {
  expect(packed.map(({ name }) => name).sort()).toEqual([...names].sort())
})

describe.for(names)('%s', (name) => {
  const find = (): PackedPackage => packed.find((one) => one.name === name)!

  test('holds what was built, its licence and its README, and nothing else', () => {
    const built = /^dist\/.*\.(?:js|js\.map|d\.ts)$|^dist\/fixtures\/|^dist\/man\/tripline[a-z-]*\.1$|^dist\/(?:playground|site)\//
    const others = listPackedFiles(find().file).filter((path) => !built.test(path))
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(listPackedFiles(find().file).filter((path) => path.includes('.test.'))).toEqual([])
  })

  test('names no path of the workspace, and no package that is not published', () => {
    const { dependencies = {}, exports, bin = {} } = readPackedManifest(find().file)
    expect(JSON.stringify([dependencies, exports, bin])).not.toMatch(/workspace:|(?<!\.d)\.ts"|src\//)
  })

  test('source maps hold the sources that they name, which are not packed', () => {
    const maps = readPackedMaps(find().file)
    expect(maps.filter(({ sources, sourcesContent = [] }) => sources.some((_, i) => typeof sourcesContent[i] !== 'string'))).toEqual([])
  })

  test('publint finds nothing', async () => {
    const tarball = readFileSync(find().file)
    const { messages } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true })
    expect(messages).toEqual([])
  })

  test('types resolve as the code does (are the types wrong?)', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(find().file)))
    // Packages are ES modules only, for Node 20 and later and for bundlers: resolution of before `exports` is not offered.
    const problems = 'problems' in analysis ? analysis.problems : []
    const kinds = problems.filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'))
    expect(kinds.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([])
  })
})

/** Modules that READMEs of packages and the developer's first page show, with what they print. */
const shown = [
  ...['engine', 'query', 'pool', 'rule-tools'].map((name) => ({ name, path: `packages/${name}/README.md` })),
  { name: 'start', path: 'docs/start/developer.md' },
].flatMap(({ name, path }) => findModules(readText(path)).map((module) => ({ name, path, ...module })))

describe.for<RuntimeName>(['node-20', 'node-22', 'node-24', 'node-26'])('installed with npm, on %s', (runtime) => {
  test.for(shown)('the example at $path:$line runs', ({ source, output, line, name }) => {
    const file = join(npmProject, `${name}-${line}.mjs`)
    writeFileSync(file, stripTypeScriptTypes(source))
    const { status, stdout, stderr } = spawnSync(findRuntime(runtime), [file], { encoding: 'utf8', cwd: npmProject })
    expect({ status, stderr, ...(output !== undefined && { stdout }) }).toEqual({ status: 0, stderr: '', ...(output !== undefined && { stdout: output }) })
  })

  test('tripline detect finds the match', () => {
    const { status, stdout } = tripline(['detect', 'whoami.yml', '--input', 'events.ndjson'], runtime)
    expect([status, stdout.split('\n').length, (JSON.parse(stdout.split('\n')[0]!) as { title: string }).title]).toEqual([0, 2, 'Whoami as system'])
  })
})

describe.for<RuntimeName>(['node-24', 'node-26'])('the server from its package, on %s', (runtime) => {
  test('tripline serve becomes ready and ends in order', async () => {
    const args = [programPath(), 'serve', 'whoami.yml', '--listen', '127.0.0.1:0', '--data-dir', join(folder, `data-${runtime}`)]
    const child = spawn(findRuntime(runtime), args, { cwd: npmProject, stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    try {
      const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next() as { readonly value: string }
      const { port } = JSON.parse(value) as { readonly port: number }
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  })
})

const embedding = findModules(readText('docs/guide/embed-server.md'))

describe.for<RuntimeName>(['node-24', 'node-26'])('the server inside another program, on %s', (runtime) => {
  test('answers the requests of its HTTP server, and stops with it', async () => {
    const child = startExample(0, runtime)
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    try {
      const { value } = await createInterface({ input: child.stdout! })[Symbol.asyncIterator]().next() as { readonly value: string }
      const { port } = JSON.parse(value) as { readonly port: number }
      const statuses = await Promise.all(['/about', '/readyz', '/v1/alerts', '/'].map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status))
      expect(statuses).toEqual([200, 200, 401, 200])
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  })

  test('keeps events in a store of the program', async () => {
    const child = startExample(1, runtime)
    const lines: string[] = []
    createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line))
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
    expect([status, lines.join('\n')]).toEqual([0, expect.stringContaining('eventCount: 0')])
  })

  /** Starts an example of the guide, in the project and with data of its own. */
  function startExample(index: number, name: RuntimeName): ChildProcess {
    const file = join(npmProject, `embedding-${index}-${name}.mjs`)
    const dataDir = join(folder, `embedded-${index}-${name}`)
    writeFileSync(file, stripTypeScriptTypes(embedding[index]!.source).replace("'tripline-data'", JSON.stringify(dataDir)))
    return spawn(findRuntime(name), [file], { cwd: npmProject, env: { PORT: '0' }, stdio: ['ignore', 'pipe', 'ignore'] })
  }
})

describe.for<RuntimeName>(['node-20', 'node-22'])('the server on %s, which is too old', (runtime) => {
  test.for(['serve', 'search x', 'ingest', 'admin user list', 'verify'])('tripline %s ends with 78 and one sentence', (line) => {
    const { status, stdout, stderr } = tripline(line.split(' '), runtime)
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([78, '', 1])
    expect(stderr).toContain('needs Node 24.12 or newer')
  })
})

describe('the collector from its package', () => {
  const collect = (runtime: RuntimeName, ...args: string[]): ReturnType<typeof tripline> =>
    spawnSync(findRuntime(runtime), [join(npmProject, getProgramPath(programs.collector)), ...args], { cwd: npmProject, encoding: 'utf8' })

  test.for<RuntimeName>(['node-24', 'node-26'])('reads a source on %s', (runtime) => {
    writeFileSync(join(npmProject, 'source.yaml'), `type: file\npaths: [${join(npmProject, 'events.ndjson')}]\n`)
    expect(collect(runtime, 'test', 'source.yaml')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('connection: pass\nevents: the first 3\n') })
  })

  test.for<RuntimeName>(['node-20', 'node-22'])('on %s, which is too old, ends with 78 and one sentence', (runtime) => {
    const { status, stdout, stderr } = collect(runtime, 'run')
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([78, '', 1])
    expect(stderr).toContain('needs Node 24.12 or newer')
  })
})

const typedProgram = `
import { Engine, compileRules } from '@tripline/engine'
import type { Match, RuleReport } from '@tripline/engine'
import { compileQuery } from '@tripline/query'
import { sqlite, toSql } from '@tripline/query/sql'
const { ruleSet, reports }: { ruleSet: ConstructorParameters<typeof Engine>[0]; reports: readonly RuleReport[] } = compileRules('title: x')
const matches: readonly Match[] = new Engine(ruleSet).push([{ a: 1 }])
const titles: string[] = matches.map((match) => match.rule.title ?? '')
const { text } = toSql(compileQuery('a:1').predicate, sqlite, { fields: new Map() })
export const result: readonly [string[], number, string] = [titles, reports.length, text]
type IsAny<T> = 0 extends 1 & T ? true : false
export const areAny: [IsAny<typeof matches>, IsAny<typeof text>, IsAny<ReturnType<typeof compileQuery>>] = [false, false, false]
`

describe('other ways in', () => {
  test('npx runs it without an installation', async () => {
    const project = createProject('npx-project')
    const { status, stdout } = await run('npx', ['--yes', ...detect], project)
    expect([status, stdout.split('\n').length]).toEqual([0, 2])
  })

  test('npm install -g puts it on the path', async () => {
    const prefix = join(folder, 'global')
    await install('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', 'tripline'], npmProject)
    const { status, stdout } = spawnSync(join(prefix, 'bin/tripline'), ['--version'], { encoding: 'utf8', env: getEnvironment() })
    expect([status, stdout.trim()]).toEqual([0, packed[0]!.version])
    expect(readdirSync(join(prefix, 'share/man/man1'))).toEqual(expect.arrayContaining(['tripline.1', 'tripline-rules-check.1']))
  })

  test('pnpm installs it', async () => {
    const project = createProject('pnpm-project')
    await install('npx', ['--yes', packageManager, 'add', 'tripline'], project)
    const { status, stdout } = await run('npx', ['--yes', packageManager, 'exec', ...detect], project)
    expect([status, stdout.split('\n').length]).toEqual([0, 2])
  })

  test.for(['nodenext', 'bundler'])('a strict program has its types under module resolution %s', (moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext'
    writeFileSync(join(npmProject, 'program.ts'), typedProgram)
    const options = ['--module', module, '--moduleResolution', moduleResolution, '--strict', '--noEmit', '--target', 'es2023', '--types', '']
    const compiler = join(repositoryRoot, 'node_modules/.bin/tsc')
    const { status, stdout } = spawnSync(compiler, [...options, 'program.ts'], { cwd: npmProject, encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
  })
})

/** An empty project outside the repository, with the examples of the command line. */
function createProject(name: string): string {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  writeFileSync(join(project, '.npmrc'), `registry=${registry.url}\n`)
  for (const file of ['whoami.yml', 'events.ndjson']) writeFileSync(join(project, file), example(file))
  return project
}

function programPath(): string {
  return join(npmProject, getProgramPath(programs.tripline))
}

function tripline(args: readonly string[], runtime: RuntimeName): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(findRuntime(runtime), [programPath(), ...args], { cwd: npmProject, encoding: 'utf8' })
}

/** The environment of a user whose registry has the packed packages, and caches of its own. */
function getEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env, PATH: [dirname(findRuntime('node-26')), process.env['PATH']].join(delimiter), HOME: join(folder, 'home'),
    npm_config_registry: registry.url, npm_config_cache: join(folder, 'npm-cache'), npm_config_store_dir: join(folder, 'pnpm-store'), npm_config_fetch_retries: '1',
  }
}

async function install(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { status, stderr } = await run(program, args, cwd)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
}

/** Runs a program while this process serves the registry. */
function run(program: string, args: readonly string[], cwd: string): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, { cwd, env: getEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, ...output }))
  })
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
