// Builds the package in the working directory for publishing: `prepack` of every public package runs it.
//
//   node ../../tools/release/build-package.ts [--copy FROM TO]... [--man]
//
// Compiles from nothing, so that no file of an older build is packed, and makes the declarations name the files that
// are there. `--copy` adds a folder of the repository (FROM, from its root) below `dist` (TO), `--man` the manual pages of the
// program that was built as `dist/man`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'

/** A relative specifier that ends in `.ts`, with its quotes: what the compiler leaves in declarations. */
const sourceSpecifier = /(?<=(?:from|import\() ?)(['"])(\.{1,2}\/[^'"]+)\.ts\1/g

const args = process.argv.slice(2)
const copies = readCopies(args.filter((arg) => arg !== '--man'))
rmSync('dist', { recursive: true, force: true })
const compiler = join(repositoryRoot, 'node_modules/.bin/tsc')
const { status, error } = spawnSync(compiler, ['-b'], { stdio: ['ignore', 2, 2] })
if (error !== undefined) throw error
if (status !== 0) process.exit(status ?? 1)
for (const file of globSync('dist/**/*.d.ts')) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(sourceSpecifier, '$1$2.js$1'))
}
for (const { from, to } of copies) cpSync(join(repositoryRoot, from), join('dist', to), { recursive: true })
// The program that was built prints its pages.
if (args.includes('--man')) execFileSync(process.execPath, ['dist/main.js', 'man', '--dir', 'dist/man'], { stdio: ['ignore', 2, 2] })

function readCopies(args: readonly string[]): readonly { readonly from: string; readonly to: string }[] {
  if (args.length === 0) return []
  const [option, from, to, ...rest] = args
  if (option !== '--copy' || from === undefined || to === undefined) throw new Error(`--copy FROM TO expected, not ${args.join(' ')}`)
  return [{ from, to }, ...readCopies(rest)]
}
