// Builds the console when `npm start` finds none, or one of other sources. No dependencies: it runs before anything is installed.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSources } from '../packages/console/hash-sources.mjs'

/** What the build needs beside the console's own folder: packages whose code is part of the pages. */
const packagesInside = ['common', 'contract', 'engine', 'query', 'rule-tools']

/** Development packages of the console that a build does without. */
const notForBuilding = /^(?:@types\/|axe-core|playwright-core)/

/**
 * Builds the console if its build is missing or was made of other sources. Vite and what it bundles take 100 MB, seven times
 * what runs, so they are installed in a temporary folder that is removed afterwards; a workspace that has them builds in place.
 * A build that fails is reported, and the server starts without pages.
 */
export function buildConsole({ root, say, nodeBin, packageManager, run }) {
  const site = join(root, 'packages', 'console', 'dist', 'site')
  const sources = hashSources(root)
  const stamp = join(site, 'sources.txt')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === sources) return
  say(existsSync(stamp) ? 'the console is of other sources; building it again' : 'building the console')
  const startedAt = performance.now()
  const hasBundler = existsSync(join(root, 'packages/console/node_modules/vite'))
  if (!hasBundler) say('vite and what it bundles are fetched for that (50 MB, 170 MB on disk) and removed again')
  const isBuilt = hasBundler
    ? run(nodeBin, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'], join(root, 'packages/console'))
    : buildApart({ root, site, nodeBin, packageManager, run })
  if (isBuilt) writeFileSync(stamp, `${sources}\n`)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(isBuilt ? `the console is built in ${site}, in ${seconds} s` : 'the console could not be built; the server starts without it')
}

function buildApart({ root, site, nodeBin, packageManager, run }) {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-console-'))
  try {
    for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json']) cpSync(join(root, file), join(folder, file))
    const manifest = readManifest(join(root, 'package.json'))
    writeManifest(join(folder, 'package.json'), { ...manifest, devDependencies: {}, scripts: {} })
    for (const name of ['console', ...packagesInside]) {
      const filter = (path) => !/\/(?:node_modules|dist)$/.test(path)
      cpSync(join(root, 'packages', name), join(folder, 'packages', name), { recursive: true, filter })
    }
    const console = join(folder, 'packages', 'console')
    const own = readManifest(join(console, 'package.json'))
    const needed = Object.entries(own.devDependencies).filter(([name]) => !notForBuilding.test(name))
    writeManifest(join(console, 'package.json'), { ...own, devDependencies: Object.fromEntries(needed) })
    const options = ['--no-frozen-lockfile', '--trust-lockfile', '--prefer-offline', '--reporter=silent']
    const install = ['install', ...options, '--filter', '@tripline/console...']
    return run('npx', ['--yes', '--loglevel=error', packageManager, ...install], folder)
      && run(nodeBin, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error', '--outDir', site, '--emptyOutDir'], console)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readManifest(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function writeManifest(file, manifest) {
  writeFileSync(file, JSON.stringify(manifest))
}
