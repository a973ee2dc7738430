import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { QueryResult, Search } from './event-table.ts'

/** A program of this folder, the jars that it needs, and options of the machine. */
type JavaProgram = { readonly source: string; readonly jars: readonly string[]; readonly options?: readonly string[] }

/** The paths of jars of a folder; none where there is no such folder. */
export function listJars(folder: string | undefined, pattern = /\.jar$/): readonly string[] {
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder).filter((name) => pattern.test(name)).map((name) => join(folder, name))
}

/** Why a program cannot run, its jars apart; undefined where it can. */
export function findMissingJava(): string | undefined {
  return spawnSync('javac', ['-version']).status === 0 ? undefined : 'no javac'
}

/** Runs the queries of each table in a program, by lines of percent-encoded words. */
export function runJava({ source, jars, options = [] }: JavaProgram, searches: readonly Search[]): Promise<QueryResult[][]> {
  const encode = encodeURIComponent
  const lines = searches.flatMap(({ table: { columns, rows }, queries }) => [
    ['table', ...columns.map(encode)],
    ...rows.map((row) => ['row', ...row.map((value) => value === null ? '-' : encode(`=${value}`))]),
    ...queries.map((query) => ['query', encode(query)]),
  ])
  const all = ['-Xshare:auto', '-XX:TieredStopAtLevel=1', ...options, '-cp', jars.join(':'), join(import.meta.dirname, source)]
  const { stdout, stderr, status } = spawnSync('java', all, {
    input: lines.map((words) => `${words.join('\t')}\n`).join(''), encoding: 'utf8', maxBuffer: 1e9,
  })
  if (status !== 0) return Promise.reject(new Error(`${source} ended with ${status}: ${stderr}`))
  const results = stdout.split('\n').filter((line) => line !== '').map(readResult)
  let at = 0
  return Promise.resolve(searches.map(({ queries }) => results.slice(at, at += queries.length)))
}

function readResult(line: string): QueryResult {
  const [kind, ...words] = line.split('\t')
  return kind === 'found' ? { found: words.map(Number) } : { error: words.join(' ') }
}
