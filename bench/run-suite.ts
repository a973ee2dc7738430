/**
 * Runs one suite in a process of its own, so that none inherits another's heap and optimized code, and prints
 * its rows as JSON; `report.ts` starts it.
 */
import { parseArgs } from 'node:util'
import { createHeapMeter, getExactThreadCpuMs, getThreadCpuMs } from 'tripline/measuring'
import { openCorpus } from './open-corpus.ts'
import { suites } from './suites.ts'

const { values } = parseArgs({
  options: { suite: { type: 'string' }, data: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
})
const suite = suites.find(({ name }) => name === values.suite)
if (suite === undefined) throw new Error(`there is no suite '${values.suite}'`)
const corpus = openCorpus(values.data)
const bench = {
  corpus,
  clock: getThreadCpuMs,
  exactClock: getExactThreadCpuMs,
  heapBytes: createHeapMeter(),
  rounds: Number(values.rounds),
}
const rows = await suite.run(bench)
process.stdout.write(`${JSON.stringify({ corpus: corpus.name, rows })}\n`)
