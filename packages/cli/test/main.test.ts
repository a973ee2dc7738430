import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createFolder } from './run-captured.ts'
import { brokenRule, curlEvent, curlRule } from './sample-rules.ts'

// The real program as a process of its own: exit codes, pipes and signals are the system's, not ours.

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const folder = createFolder({
  'curl.yml': curlRule,
  'broken.yml': brokenRule,
  'events.ndjson': `${curlEvent}\n`.repeat(20_000),
  // Of { a: 1 }.
  'packed.ndjson.xz': Buffer.from('/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHeyJhIjoxfQoAvkmRQ1UE74UAASAIuxnZux+2830BAAAAAARZWg==', 'base64'),
})
afterAll(() => rmSync(folder, { recursive: true }))

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a shell command line in which `tripline` is the program. */
function shell(line: string): Promise<Ended> {
  const script = `tripline() { "${process.execPath}" "${main}" "$@"; }\n${line}`
  const child = spawn('bash', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => { stdout += chunk.toString() })
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString() })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

const allEvents = 'cat events.ndjson'

test.for<[line: string, code: number, stdout: string]>([
  [`${allEvents} | tripline detect curl.yml | wc -l`, 0, '20000\n'],
  [`gzip -c events.ndjson | tripline detect curl.yml | wc -l`, 0, '20000\n'],
  [`tripline detect curl.yml --input packed.ndjson.xz`, 0, ''],
  [`tripline detect curl.yml --input events.ndjson --output none --fail-on high`, 1, ''],
  [`${allEvents} | tripline detect curl.yml --jobs 2 | wc -l`, 0, '20000\n'],
  [`tripline detect broken.yml < /dev/null`, 65, ''],
  [`tripline detect broken.yml --jobs 2 < /dev/null`, 65, ''],
  [`tripline detect curl.yml --input nowhere`, 66, ''],
  [`tripline detect --ruels curl.yml`, 2, ''],
  [`tripline serve --ruels curl.yml`, 78, ''],
  [`tripline detect <(cat curl.yml) --input events.ndjson | tail -1 | cut -c 1-14`, 0, '{"line":20000,\n'],
])('%s', async ([line, code, stdout]) => {
  expect(await shell(line)).toMatchObject({ code, stdout })
})

const longLasting = `for i in $(seq 100); do ${allEvents} 2> /dev/null || break; done`

test.for<[title: string, producer: string, options: string]>([
  ['that has more to say', allEvents, ''],
  ['that has more to say, with two threads', allEvents, ' --jobs 2'],
  ['that takes a hundred times as long', longLasting, ''],
  ['that takes a hundred times as long, with two threads', longLasting, ' --jobs 2'],
])('ends quietly with 0 when its reader has gone, behind a producer %s', async ([, producer, options]) => {
  const { code, stdout, stderr } = await shell(`${producer} | { tripline detect curl.yml${options}; echo "code $?" >&2; } | head -1`)
  expect(stdout).toContain('"line":1')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'code 0\n' })
})

test.for(['--jobs 1', '--jobs 2'])('answers a slow producer without waiting for its end, %s', async (options) => {
  // The producer ends as soon as it sees the answer, or gives up after a minute.
  const producer = 'head -1 events.ndjson; for i in $(seq 600); do [ -e answered ] && echo answered >&2 && break; sleep 0.1; done'
  const { stdout, stderr } = await shell(`rm -f answered; { ${producer}; } | tripline detect curl.yml ${options} | { head -c 7; touch answered; cat > rest; }`)
  expect({ stdout, stderr }).toEqual({ stdout: '{"line"', stderr: 'answered\n' })
})
