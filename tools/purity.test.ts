import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from './workspace.ts'

/** Runs a module where there is nothing but the language; answers what it exports as `answer`. */
function runBare(source: string): unknown {
  const program = join(repositoryRoot, 'tools', 'bare-context.ts')
  const args = ['--experimental-vm-modules', '--experimental-import-meta-resolve', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input: source, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

describe('where there is nothing but the language', () => {
  test('the engine compiles a rule and matches an event', () => {
    const answer = runBare(String.raw`
      import { Engine, compileRules, explain } from '@tripline/engine'
      const text = [
        'title: Encoded command',
        'logsource: { category: process_creation, product: windows }',
        'detection:',
        '  selection:',
        '    Image|endswith: \\powershell.exe',
        '    CommandLine|re: (?i)-enc[a-z]*\\s+[A-Za-z0-9+/]{8,}',
        '  condition: selection',
      ].join('\n')
      const { ruleSet, reports } = compileRules([{ path: 'encoded.yml', text }])
      const logsource = { category: 'process_creation', product: 'windows' }
      const event = { _logsource: logsource, Image: 'C:\\powershell.exe', CommandLine: '-enc SGVsbG8gd29ybGQ=' }
      const matches = new Engine(ruleSet).push([{ ...event, Image: 'C:\\cmd.exe' }, event])
      export const answer = {
        verdicts: reports.map(({ verdict }) => verdict),
        matches: matches.map(({ row, rule, conditions }) => [row, rule.title, conditions]),
        isExplained: matches.every(({ rule, event }) => explain(rule, event).matched),
      }
    `)
    expect(answer).toEqual({
      verdicts: ['compiled'],
      matches: [[1, 'Encoded command', [
        String.raw`selection: Image|endswith=\powershell.exe`,
        String.raw`selection: CommandLine|re=(?i)-enc[a-z]*\s+[A-Za-z0-9+/]{8,}`,
      ]]],
      isExplained: true,
    })
  })

  test('the search language compiles a query, prints it and makes SQL of it', () => {
    expect(runBare(`
      import { compileQuery, draftRule } from '../query/src/index.ts'
      import { sqlite, toSql } from '../query/src/sql-index.ts'
      const { text, query, predicate, findRows } = compileQuery('user:al* t:>=2026-05-06')
      const events = [{ user: 'Alice', t: '2026-05-06T01:00:00Z' }, { user: 'Alice', t: '2026-05-05T23:00:00Z' }]
      const columns = { instants: { name: 't', isList: false } }
      const sql = toSql(predicate, sqlite, { fields: new Map([['t', columns]]) })
      export const answer = [text, findRows(events), sql.text, draftRule(query, { title: 'x', logsource: {} }).unsaid]
    `)).toEqual(['user:al* AND t:>=2026-05-06', [0], '("t" IS NOT NULL AND "t" >= ?)', ['a comparison with a time']])
  })

  test('the kernel runs', () => {
    expect(runBare(`
      import { Kernel } from './src/kernel/kernel.ts'
      const asked = []
      const kernel = new Kernel({
        keyCode: () => 0,
        classOf: (domain, start, length) => length,
        resultOf: (section, { numbers, count }) => count === 0 ? section : numbers[0],
        found: (...found) => asked.push(found),
        slowLine: (...slow) => asked.push(slow),
      })
      kernel.setProgram(0, Int32Array.of(1, 0))
      kernel.setProgram(1, Int32Array.of(0, 1, 0, 0, 1, 0))
      kernel.run(Uint8Array.from('{"a":12}\\n[]', (letter) => letter.charCodeAt(0)))
      export const answer = asked
    `)).toEqual([[0, 0, 8, 0, 2], [1, 9, 2]])
  })

  test.for<[what: string, source: string, error: string]>([
    ['Node globals', 'export const answer = process.pid', 'process is not defined'],
    ['timers', 'setTimeout(() => {}, 0)', 'setTimeout is not defined'],
    ['output', `console.log('')`, 'console is not defined'],
    ['Node modules', `import 'node:fs'`, 'node:fs is not a file'],
    ['the clock', 'export const answer = new Date()', 'the time was asked for'],
    ['randomness', 'export const answer = Math.random()', 'randomness was asked for'],
    ['code made of strings', `export const answer = new Function('return 1')()`, 'Code generation from strings disallowed'],
  ])('%s cannot be reached', ([, source, error]) => {
    expect(() => runBare(source)).toThrow(error)
  })
})
