/**
 * Sends generated requests to every operation of an API, the console's by default, and judges each answer by the OpenAPI document:
 *
 *     npm run trial:contract -- [--seed 1] [--requests 400] [--profile a|b]
 *
 * The requests are made of the document alone: valid ones, nearly valid ones, and values that break careless programs, from
 * every kind of principal. A status, an error code, a header or a body that the document does not describe is a failure, and
 * so is a 5xx. The exit code is 1 if there is one. The same seed sends the same requests.
 */
import { parseArgs } from 'node:util'
import { fuzzConsole } from '../packages/server/test/contract/fuzz-console.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, requests: { type: 'string', default: '400' }, profile: { type: 'string' } },
})
const { requestCount, statuses, codes, failures } = await fuzzConsole({
  seed: Number(values.seed),
  ...(values.profile === 'a' || values.profile === 'b' ? { profile: values.profile } : {}),
  requestsPerOperation: Number(values.requests),
  onOperation: (id) => void process.stderr.write(`${id}\n`),
})
const byStatus = new Map<string, number>()
for (const [key, count] of statuses) {
  const status = key.split(' ')[1] ?? ''
  byStatus.set(status, (byStatus.get(status) ?? 0) + count)
}
const counted = Array.from(byStatus).sort(([a], [b]) => Number(a) - Number(b)).map(([status, count]) => `${count} x ${status}`)
process.stdout.write(`${requestCount} requests: ${counted.join(', ')}\n`)
process.stdout.write(`error codes: ${[...codes].sort().join(', ')}\n`)
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`)
process.stdout.write(`${failures.length} failures\n`)
process.exitCode = failures.length === 0 ? 0 : 1
