import { posix } from 'node:path'
import { listAnchors, findLinks } from './parse-markdown.ts'

/** Texts of the project's files by path, as far as references are looked up in them. */
export type ProjectFiles = {
  /** Every file and folder, as paths from the root. */
  readonly paths: ReadonlySet<string>
  /** The text of a document, to find its headings. */
  readonly read: (path: string) => string
}

/** References by number to papers that are not in the repository. RFCs have sections that anybody can look up. */
const outside: readonly RegExp[] = [
  /\bD-\d+\b/g,
  /(?<!RFC \d+,? )\b[Ss]ections? \d+(?:\.\d+)*/g,
  /\b(?:[Tt]able|[Ee]xample) \d\.\d/g,
  /\((?:[CG]\d{1,2}|P-\d)\)/g,
]

/** Lists the references of a source or document to papers that are not in the repository, as `path:line text`. */
export function findOutsideReferences(path: string, text: string, { paths }: ProjectFiles): string[] {
  return text.split('\n').flatMap((line, index) => {
    const byNumber = outside.flatMap((pattern) => [...line.matchAll(pattern)].map(([found]) => found))
    const byName = path.endsWith('.md') ? [] : documentsNamed(line).filter((name) => !leadsToDocument(path, name, paths))
    return [...byNumber, ...byName].map((found) => `${path}:${index + 1} ${found}`)
  })
}

/** Lists the relative links of a document that lead to no file, or to no heading of one. */
export function findDeadLinks(path: string, markdown: string, files: ProjectFiles): string[] {
  return findLinks(markdown).filter((target) => !linkResolves(path, target, files)).map((target) => `${path} ${target}`)
}

/**
 * Lists the files and folders that a map of the code names in backticks and that do not exist. A name is looked up in
 * the package of its heading (`### packages/engine`), then from the root; it may leave out the folders before it.
 */
export function findMissingFiles(markdown: string, { paths }: Pick<ProjectFiles, 'paths'>): string[] {
  let folder = ''
  return markdown.split('\n').flatMap((line) => {
    const heading = /^#{2,3} (?:(packages\/\S+)|.*)$/.exec(line)
    if (heading !== null) folder = heading[1] ?? ''
    return filesNamed(line).filter((name) => !exists(name, folder, paths)).map((name) => `${folder} ${name}`.trim())
  })
}

/** Names of documents such as `docs/STYLE.md`; addresses of the web are none. */
function documentsNamed(line: string): string[] {
  return line.replaceAll(/\bhttps?:\/\/\S+/g, '').match(/[\w./-]*[\w-]\.md\b/g) ?? []
}

/** A README is beside what names it; names of one letter stand in examples. */
function leadsToDocument(path: string, name: string, paths: ReadonlySet<string>): boolean {
  return /^(?:\w|(?:.*\/)?readme)\.md$/i.test(name) || paths.has(name) || paths.has(posix.join(posix.dirname(path), name))
}

function linkResolves(path: string, target: string, { paths, read }: ProjectFiles): boolean {
  const [file = '', anchor] = target.split('#')
  const targetPath = file === '' ? path : posix.join(posix.dirname(path), file).replace(/\/$/, '')
  if (!paths.has(targetPath)) return false
  return anchor === undefined || listAnchors(read(targetPath)).includes(anchor)
}

/** Names in backticks that are paths of sources, documents or folders: no commands, patterns or addresses of the API. */
function filesNamed(line: string): string[] {
  const quoted = [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  return quoted.filter((text) => /^(?!\/)[\w./-]+(?:\.(?:ts|mjs|as|peggy|json|md|yml)|\/)$/.test(text))
}

function exists(name: string, folder: string, paths: ReadonlySet<string>): boolean {
  const plain = name.replace(/\/$/, '').replace(/^(?:\.\.\/)+/, '')
  if (paths.has(plain)) return true
  return [...paths].some((path) => path.startsWith(folder) && path.endsWith(`/${plain}`))
}
