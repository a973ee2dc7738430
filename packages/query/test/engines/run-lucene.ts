import { findMissingJava, listJars, runJava } from './run-java.ts'
import type { QueryResult, Search } from './event-table.ts'

/** The folder of Debian's packages for Java. */
const debianJars = '/usr/share/java'

/** A folder with the jars of Lucene 8 or 9 (core, queries, queryparser; of 8 also misc): of this variable, or of Debian's package liblucene8-java. */
const jars = listJars(process.env['TRIPLINE_LUCENE_JARS'] ?? debianJars, /^lucene-(core|misc|queries|queryparser|sandbox)-.*\.jar$/)

/** Why Lucene cannot run here; undefined where it can. It needs Java's compiler, too. */
export const luceneMissing = jars.some((path) => path.includes('lucene-queryparser-'))
  ? findMissingJava()
  : 'neither TRIPLINE_LUCENE_JARS nor liblucene8-java gives the jars of Lucene'

/** Runs the queries of each table in Lucene. */
export function runLucene(searches: readonly Search[]): Promise<QueryResult[][]> {
  return runJava({ source: 'Lucene.java', jars }, searches)
}
