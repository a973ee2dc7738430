import { posix } from 'node:path'

/** Lines of a source file; a longer one holds more than the one thing it is named after. */
const sourceLinesMax = 350
/** Characters of a line of code; .editorconfig aims at 120, and a sentence that an error says may run over it. */
const lineLengthMax = 140

/** What no file says, and why; each is looked for line by line. */
const forbidden: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\b(?:TODO|FIXME|XXX)\b/, 'names unfinished work: finish it or write an issue'],
  [/(?<![\w.])\/(?:home|opt|root|tmp|work)\/\w/, 'names a path of one machine'],
  [/\bregistry\.[a-z]+\.(?:com|dev|io|net|org)\b/, 'names the host of a package registry'],
  [/@ts-(?:ignore|nocheck|expect-error)|oxlint-disable|eslint-disable/, 'switches a check off'],
  [/\bas unknown as\b/, 'turns a type into another one'],
  [/\bpage\.unroute\(/, "takes a route away from a handler that may still run: `unrouteAll({ behavior: 'wait' })` waits for it"],
  [/\bpage\.waitForTimeout\(/, 'waits for a time: wait for what is needed'],
  [/[ \t]$/, 'ends with a blank'],
  [/\t/, 'holds a tab'],
  [/\r/, 'holds a carriage return'],
]

/** Whether a file is made by `tools/generate.ts` or by a grammar: its first lines say so. */
export function isGenerated(text: string): boolean {
  return /^(?:\/\/|\/\*|<!--|#)[^\n]*\bgenerated\b/i.test(text)
}

/**
 * Judges one file by its path and text: sentences, none when it is tidy.
 * Fixtures are data: only their names are judged.
 */
export function findStyleProblems(path: string, text: string): string[] {
  const names = checkFileName(path)
  if (path.startsWith('fixtures/') || isGenerated(text)) return names
  const isCode = /\.(?:ts|tsx|mjs|js)$/.test(path)
  return [...names, ...checkLines(path, text, isCode), ...checkFileEnd(path, text, isCode)]
}

/** The limits of a package are one table, as long as they are many. */
function isTable(path: string): boolean {
  return path.endsWith('/limits.ts')
}

/** Rows of tests are as long as their data. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes('/test/')
}

/** Code and folders are in kebab-case; documents and the files that tools look for have names of their own. */
function checkFileName(path: string): string[] {
  const isOurs = /^(?:packages|tools|bench)\/.*\.(?:ts|tsx|mjs)$/.test(path) || path.startsWith('fixtures/')
  const isKebab = path.split('/').every((part) => /^\.?[a-z0-9]+(?:[-._][a-z0-9]+)*$/.test(part) || part === 'README.md')
  return isOurs && !isKebab ? [`${path}: the name is not in kebab-case`] : []
}

function checkLines(path: string, text: string, isCode: boolean): string[] {
  return text.split('\n').flatMap((line, index) => {
    const reasons = forbidden.filter(([pattern]) => pattern.test(line)).map(([, reason]) => reason)
    if (isCode && !isTest(path) && line.length > lineLengthMax) reasons.push(`is longer than ${lineLengthMax} characters`)
    return reasons.map((reason) => `${path}:${index + 1} ${reason}`)
  })
}

function checkFileEnd(path: string, text: string, isCode: boolean): string[] {
  const untidy: string[] = []
  if (!text.endsWith('\n') || text.endsWith('\n\n')) untidy.push(`${path}: does not end with one newline`)
  const lines = text.split('\n').length - 1
  if (isCode && !isTest(path) && !isTable(path) && lines > sourceLinesMax) {
    untidy.push(`${path}: has ${lines} lines; ${sourceLinesMax} are the most`)
  }
  return untidy
}

/**
 * Judges one package.json: an exact version for every dependency, so that a clone is what was tested,
 * and the licence. `paths` are all files of the project.
 */
export function findPackageProblems(path: string, text: string, paths: ReadonlySet<string>): string[] {
  const manifest = JSON.parse(text) as { readonly [key: string]: unknown }
  const untidy = listDependencies(manifest)
    .filter(([, version]) => !/^(?:workspace:|npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${path}: the version of ${name} is not exact: ${version}`)
  if (manifest['license'] !== 'Apache-2.0') untidy.push(`${path}: the license is not Apache-2.0`)
  if (!paths.has(posix.join(posix.dirname(path), 'README.md'))) untidy.push(`${path}: has no README.md beside it`)
  return untidy
}

function listDependencies(manifest: { readonly [key: string]: unknown }): [string, string][] {
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return groups.flatMap((group) => Object.entries((manifest[group] ?? {}) as { [name: string]: string }))
}
