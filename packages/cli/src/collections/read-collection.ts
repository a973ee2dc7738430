import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { unreadableError, usageError } from '../framework/command-error.ts'
import { findFiles } from '../input/find-files.ts'
import { limits } from '../limits.ts'
import { isKeptFile, sha256 } from './collection.ts'
import type { Collection, CollectionFiles } from './collection.ts'
import { readArchive } from './read-archive.ts'

type CollectionRequest = {
  /** A folder, an archive or a git repository on this machine. */
  readonly source: string
  /** A tag, branch or commit of a repository; a label of anything else. */
  readonly release: string | undefined
  /** The folders of the collection to take; all of it without any. */
  readonly paths: readonly string[]
}

/**
 * Reads a release of a rule collection.
 *
 * @throws ExitError (66) when the source cannot be read, (65) when it holds no rule, (2) for a repository without a release.
 */
export async function readCollection(request: CollectionRequest, cwd: string): Promise<Collection> {
  const { origin, files } = await readSource(request, cwd)
  const wanted = request.paths.map((path) => path.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, ''))
  const isWanted = (path: string): boolean => wanted.length === 0 || wanted.some((one) => path.startsWith(`${one}/`))
  const taken = new Map([...files].filter(([path]) => isWanted(path)))
  if ([...taken.keys()].some((path) => /\.ya?ml$/i.test(path))) return { origin, files: taken }
  const place = wanted.length === 0 ? '' : ` below ${wanted.map((path) => `'${path}'`).join(', ')}`
  throw new ExitError(exitCodes.noData, `no rules (*.yml, *.yaml) in '${request.source}'${place}`)
}

async function readSource({ source, release }: CollectionRequest, cwd: string): Promise<Collection> {
  const path = resolve(cwd, source)
  const origin = { source, name: release, commit: undefined, archiveSha256: undefined }
  if (isFolder(source, path)) {
    if (!isRepository(path)) return { origin: { ...origin, kind: 'folder' }, files: readFolder(source, cwd) }
    if (release === undefined) throw usageError(`'${source}' is a git repository; state a tag or commit with '--release'`)
    return await readRepository(source, path, release)
  }
  const bytes = readBytes(source, path)
  const files = await readArchive(bytes, { name: source, stripsFolder: true })
  return { origin: { ...origin, kind: 'archive', archiveSha256: sha256(bytes) }, files }
}

function isFolder(source: string, path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw unreadableError('rule collection', source, error)
  }
}

/** Whether a folder is a clone or a bare mirror. */
function isRepository(path: string): boolean {
  return existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))
}

function readFolder(source: string, cwd: string): CollectionFiles {
  const root = resolve(cwd, source)
  const paths = findFiles(root, { cwd, thing: 'rule collection', isWanted: isKeptFile })
  if (paths.length > limits.ruleFilesMax) {
    throw new ExitError(exitCodes.tooLarge, `'${source}' holds more than ${limits.ruleFilesMax} files of rules`)
  }
  const files = new Map<string, Buffer>()
  let size = 0
  for (const path of paths) {
    const bytes = readBytes(source, path)
    size += bytes.length
    if (size > limits.collectionBytesMax) throw tooLarge(source)
    files.set(relative(root, path).split(sep).join('/'), bytes)
  }
  return files
}

function readBytes(source: string, path: string): Buffer {
  try {
    if (statSync(path).size > limits.collectionArchiveBytesMax) throw tooLarge(source)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof ExitError) throw error
    throw unreadableError('rule collection', source, error)
  }
}

function tooLarge(source: string): ExitError {
  return new ExitError(exitCodes.tooLarge, `'${source}' is larger than ${limits.collectionArchiveBytesMax.toLocaleString('en')} bytes`)
}

async function readRepository(source: string, path: string, release: string): Promise<Collection> {
  if (release.startsWith('-')) throw usageError(`option '--release' is '${release}', which is no name of a tag or commit`)
  const commit = (await runGit(source, path, ['rev-parse', '--verify', '--end-of-options', `${release}^{commit}`])).toString('utf8').trim()
  const archive = await runGit(source, path, ['archive', '--format=tar', commit])
  const files = await readArchive(archive, { name: source, stripsFolder: false })
  return { origin: { source, kind: 'git', name: release, commit, archiveSha256: undefined }, files }
}

async function runGit(source: string, path: string, args: readonly string[]): Promise<Buffer> {
  return await new Promise((done, fail) => {
    const options = { encoding: 'buffer', maxBuffer: limits.collectionArchiveBytesMax } as const
    execFile('git', ['-C', path, ...args], options, (error, stdout, stderr) => {
      if (error === null) return done(stdout)
      const isMissing = getErrorCode(error) === 'ENOENT'
      const [said] = isMissing ? ["the program 'git' is not installed"] : stderr.toString('utf8').trim().split('\n')
      const reason = said === undefined || said === '' ? error.message : said
      fail(new ExitError(exitCodes.unreadable, `git repository '${source}' cannot be read: ${reason}`, { cause: error }))
    })
  })
}
