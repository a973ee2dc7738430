import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import { moveToNow } from './demo-samples.ts'
import { tourRule } from './print-demo-tour.ts'

/** A shell that a user types into, and all it has printed; what runs behind it prints there too. */
type Shell = {
  readonly type: (line: string) => void
  /** Resolves with all that was printed once that is in it. */
  readonly untilPrinted: (part: string) => Promise<string>
  readonly end: () => Promise<void>
}

function openShell(): Shell {
  const shell = spawn('sh', [], { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  return {
    type: (line) => void shell.stdin.write(`${line}\n`),
    untilPrinted: async (part) => {
      while (!printed.includes(part)) await once(shell.stdout, 'data')
      return printed
    },
    end: async () => {
      shell.stdin.end()
      await once(shell, 'close')
    },
  }
}

/** What is printed of commands that run behind the shell, and so later than the next one is typed. */
const laterOf: readonly (readonly [command: RegExp, printed: string])[] = [
  [/ watch /, '  metrics_update  '],
  // Alerts of sample events come meanwhile.
  [/ingest/, `rule_title=${tourRule.title}  host=web-1`],
]

/** Types what the tour says, from the login on, and gives what was printed after each command. */
async function followTour(text: string): Promise<string[]> {
  const shell = openShell()
  const commands = text.slice(text.indexOf('\n1. ')).split('\n').filter((line) => line.startsWith('  '))
  const answers: string[] = []
  let seen = 0
  for (const [i, command] of commands.entries()) {
    shell.type(`${command.trim()}\necho step ${i} done`)
    await shell.untilPrinted(`step ${i} done`)
    const later = laterOf.find(([pattern]) => pattern.test(command))?.[1] ?? ''
    const printed = await shell.untilPrinted(later)
    answers.push(printed.slice(seen))
    seen = printed.length
  }
  await shell.end()
  return answers
}

const isConsoleBuilt = existsSync(new URL('../../../console/dist/site/index.html', import.meta.url))

const lacksCurl = spawnSync('curl', ['--version']).status !== 0

test.skipIf(lacksCurl)('shows what was detected, and a way from the login to an alert found again (needs curl)', async () => {
  let answers: string[] = []
  const { code, stdout, stderr } = await runCaptured('serve --demo --listen 127.0.0.1:0', {
    untilPrinted: 'Ctrl-C',
    untilInterrupted: async (text) => { answers = await followTour(text) },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [firstLine = ''] = stdout.split('\n')
  expect(JSON.parse(firstLine)).toEqual({ event: 'ready', port: expect.any(Number), pid: process.pid })
  // Without a built console there is nothing to open.
  expect(stdout.split('\n').slice(1, 5)).toEqual(isConsoleBuilt
    ? ['', expect.stringMatching(/^Open http:.*:\d+\/\?from=-15m#login=[\w-]{43}$/), expect.stringContaining('It works once'), '']
    : expect.arrayContaining([expect.stringMatching(/^Tripline runs /)]))
  expect(stdout).toMatch(/^Tripline runs \d+ sample rules at http:\S+:\d+ and was fed 77 sample events\. It detected:\n\nMATCHES {2}LEVEL/m)
  expect(stdout).toMatch(/^ +[1-9]\d* {2}(low|medium|high|critical) +\S/m)
  expect(stdout).toMatch(/^ {2}action\(type="omfwd" target="127\.0\.0\.1" port="55(?:1[4-9]|2[0-3])" protocol="tcp"$/m)
  expect(answers).toMatchObject([
    'step 0 done\n',
    expect.stringContaining('"level":"critical"'),
    expect.stringContaining('  metrics_update  '),
    expect.stringContaining(`rule_title=${tourRule.title}  host=web-1`),
    expect.stringContaining('keywords: *Accepted password*'),
    expect.stringMatching(/step 5 done\n$/),
    expect.stringContaining('"status":"false_positive"'),
    expect.stringContaining(`"rule_title":"${tourRule.title}"`),
    expect.stringContaining(tourRule.event.message),
    expect.stringMatching(/step 9 done\n$/),
  ])
})

test('a sample states the time at which it is sent', () => {
  const sample = '{"@timestamp":"2026-11-16T08:02:11.402Z","UtcTime":"2026-11-16 08:02:11.402","Computer":"wks-07.example.com"}'
  expect(moveToNow(sample, { at: Date.UTC(2027, 0, 2, 3, 4, 5, 678), round: 103 })).toBe(
    '{"@timestamp":"2027-01-02T03:04:05.678Z","UtcTime":"2027-01-02 03:04:05.678","Computer":"wks-07.site-3.example.com"}')
})

test('leaves no folder behind when it is ended before it is ready', async () => {
  const temporary = createFolder({})
  vi.stubEnv('TMPDIR', temporary)
  try {
    expect((await runCaptured('serve --demo --listen 127.0.0.1:0')).code).toBe(0)
  } finally {
    vi.unstubAllEnvs()
  }
  expect(readdirSync(temporary)).toEqual([])
})

test('prints no link without the console', async () => {
  const { code, stdout } = await runCaptured('serve --demo --console off --listen 127.0.0.1:0', { untilPrinted: 'Ctrl-C' })
  expect(code).toBe(0)
  expect(stdout).not.toContain('#login=')
})

test('takes a free port when the one of the default is taken', async () => {
  const other = createServer().listen(8080, '127.0.0.1')
  // Where something else has the port, it is taken too.
  await Promise.race([new Promise((resolve) => { other.once('error', resolve) }), new Promise((resolve) => { other.once('listening', resolve) })])
  try {
    const { code, stdout } = await runCaptured('serve --demo')
    expect(code).toBe(0)
    expect(stdout).not.toContain('127.0.0.1:8080')
  } finally {
    other.close()
  }
})

test.for<[args: string, problem: string]>([
  ['--shutdown-grace-ms 1s', "--shutdown-grace-ms must be a whole number from 0 to 600000, not '1s'"],
  ['--port 8080', "unknown option '--port' for 'tripline serve'"],
])('refuses %s', async ([args, problem]) => {
  expect(await runCaptured(`serve --demo ${args}`)).toEqual({ code: 78, stdout: '', stderr: `tripline: ${problem}\n` })
})

test('keeps the data directory if asked to, and begins with an empty data directory', async () => {
  const dataDir = `${createFolder({})}/data`
  const line = `serve --demo --listen 127.0.0.1:0 --data-dir ${dataDir}`
  expect((await runCaptured(line)).code).toBe(0)
  expect(await runCaptured(line)).toMatchObject({
    code: 78,
    stderr: 'tripline: --demo needs a new data directory: this one already has users; choose another with --data-dir\n',
  })
})
