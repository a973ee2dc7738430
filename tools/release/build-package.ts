// Builds the package in the working directory for publishing: `prepack` of every public package runs it.
//
//   node ../../tools/release/build-package.ts [--copy FROM TO]... [--man]
//
// Compiles from nothing, so that no file of an older build is packed, and makes the declarations name the files that
// are there. `--copy` adds a folder of the repository (FROM, from its root) below `dist` (TO), `--man` the manual pages of the
// program that was built as `dist/man`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
if (args.includes('--man')) writeManualPages()

/** Has the program that was built print its pages; the first one names the others. */
function writeManualPages(): void {
  const print = (words: readonly string[]): string => {
    return execFileSync(process.execPath, ['dist/main.js', 'man', ...words], { encoding: 'utf8' })
  }
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly bin: { readonly [program: string]: string } }
  const [program = ''] = Object.keys(bin)
  mkdirSync('dist/man')
  const overview = print([])
  writeFileSync(`dist/man/${program}.1`, overview)
  const terms = overview.replaceAll('\\', '').matchAll(new RegExp(`^\\.B ${program} ([a-z -]+)$`, 'gm'))
  for (const [, name = ''] of terms) {
    const words = name.split(' ')
    writeFileSync(`dist/man/${program}-${words.join('-')}.1`, print(words))
  }
}

function readCopies(args: readonly string[]): readonly { readonly from: string; readonly to: string }[] {
  if (args.length === 0) return []
  const [option, from, to, ...rest] = args
  if (option !== '--copy' || from === undefined || to === undefined) throw new Error(`--copy FROM TO expected, not ${args.join(' ')}`)
  return [{ from, to }, ...readCopies(rest)]
}
