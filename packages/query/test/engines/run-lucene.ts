import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { QueryResult, Search } from './event-table.ts'

/** The folder of Debian's packages for Java. */
const debianJars = '/usr/share/java'

/** A folder with the jars of Lucene 8 or 9 (core, queries, queryparser; of 8 also misc): of this variable, or of Debian's package liblucene8-java. */
const folder = process.env['TRIPLINE_LUCENE_JARS'] ?? debianJars
const jars = existsSync(folder) ? readdirSync(folder).filter((name) => /^lucene-(core|misc|queries|queryparser|sandbox)-.*\.jar$/.test(name)) : []

/** Why Lucene cannot run here; undefined where it can. It needs Java's compiler, too. */
export const luceneMissing = findMissing()

function findMissing(): string | undefined {
  if (!jars.some((name) => name.startsWith('lucene-queryparser-'))) return 'neither TRIPLINE_LUCENE_JARS nor liblucene8-java gives the jars of Lucene'
  return spawnSync('javac', ['-version']).status === 0 ? undefined : 'no javac'
}

/** Runs the queries of each table in Lucene. */
export function runLucene(searches: readonly Search[]): Promise<QueryResult[][]> {
  const encode = encodeURIComponent
  const lines = searches.flatMap(({ table: { columns, rows }, queries }) => [
    ['table', ...columns.map(encode)],
    ...rows.map((row) => ['row', ...row.map((value) => value === null ? '-' : encode(`=${value}`))]),
    ...queries.map((query) => ['query', encode(query)]),
  ])
  const classes = jars.map((name) => join(folder, name)).join(':')
  const { stdout, stderr, status } = spawnSync('java', ['-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', classes, join(import.meta.dirname, 'Lucene.java')], {
    input: lines.map((words) => `${words.join('\t')}\n`).join(''), encoding: 'utf8', maxBuffer: 1e9,
  })
  if (status !== 0) return Promise.reject(new Error(`Lucene.java ended with ${status}: ${stderr}`))
  const results = stdout.split('\n').filter((line) => line !== '').map(readResult)
  let at = 0
  return Promise.resolve(searches.map(({ queries }) => results.slice(at, at += queries.length)))
}

function readResult(line: string): QueryResult {
  const [kind, ...words] = line.split('\t')
  return kind === 'found' ? { found: words.map(Number) } : { error: words.join(' ') }
}
