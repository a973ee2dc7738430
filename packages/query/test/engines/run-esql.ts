import { findMissingJava, listJars, runJava } from './run-java.ts'
import type { QueryResult, Search } from './event-table.ts'

/** A folder with the jars of Elasticsearch 8.19 that `tools/esql-jars/pom.xml` names. */
const jars = listJars(process.env['TRIPLINE_ESQL_JARS'])

/** Why ES|QL cannot run here; undefined where it can. It needs Java's compiler, too. */
export const esqlMissing = jars.some((path) => path.includes('x-pack-esql-compute-')) ? findMissingJava() : 'TRIPLINE_ESQL_JARS names no jars of ES|QL'

/** Runs the queries of each table by the evaluators of ES|QL. */
export function runEsql(searches: readonly Search[]): Promise<QueryResult[][]> {
  // Verifying a class loads parts of Elasticsearch which no package has.
  const options = ['-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote', '-Xss16m']
  return runJava({ source: 'Esql.java', jars, options }, searches)
}
