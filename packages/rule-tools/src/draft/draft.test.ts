import { describe, expect, test } from 'vitest'
import { Engine, compileRules } from '@tripline/engine'
import { draftFromEvents } from './draft-from-events.ts'
import { tuneRule } from './tune-rule.ts'

const _logsource = { category: 'process_creation', product: 'windows' }
const start = (Image: string, CommandLine: string, User: string, ProcessId: number) => ({ _logsource, Image, CommandLine, User, ProcessId })

const attacks = [start('C:\\a\\psexec.exe', 'psexec \\\\web-1 cmd', 'alice', 1), start('D:\\PsExec.exe', 'psexec \\\\web-2 cmd', 'Alice', 2)]
const harmless = [start('C:\\Windows\\notepad.exe', 'notepad', 'alice', 3), start('C:\\a\\psexec.exe', 'psexec -?', 'bob', 4)]

describe('a drafted rule', () => {
  test('matches what the events have in common, and none of the others', () => {
    const drafted = draftFromEvents({ title: "Alice's PsExec", events: attacks, others: harmless })
    if ('problem' in drafted) throw new Error(drafted.problem)
    expect(drafted.yaml).toContain(String.raw`Image|endswith: '\psexec.exe'`)
    expect(drafted.yaml).not.toContain('ProcessId')
    const engine = new Engine(compileRules([{ text: drafted.yaml }]).ruleSet)
    expect(engine.push([...attacks, ...harmless]).map((match) => match.kind === 'detection' && match.row)).toEqual([0, 1])
  })

  test.for<[title: string, events: readonly { readonly [field: string]: unknown }[], others: readonly { readonly [field: string]: unknown }[], problem: string]>([
    ['no log source', [{ a: 1 }], [], 'the events are of no known log source'],
    ['nothing in common', [{ _logsource, a: 'x' }, { _logsource, b: 'y' }], [], 'the events have nothing in common'],
    ['no difference', attacks, attacks, 'nothing that the events have in common tells them from the others'],
    ['two log sources', [{ _logsource, a: 'x' }, { _logsource: { product: 'linux' }, a: 'x' }], [], 'different log sources'],
  ])('%s is a problem', ([, events, others, problem]) => {
    expect(draftFromEvents({ title: 'x', events, others })).toMatchObject({ problem: expect.stringContaining(problem) })
  })
})

describe('a tuned rule', () => {
  const text = `title: PsExec
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: '\\psexec.exe' }, condition: selection }
`
  const falsePositives = [start('C:\\tools\\psexec.exe', 'psexec \\\\build 100%*', 'CI', 5), start('C:\\tools\\psexec.exe', 'psexec \\\\build 100%*', 'ci', 6)]

  test('excludes all false positives and keeps all true ones', () => {
    const tuned = tuneRule({ rule: { text }, falsePositives, truePositives: attacks })
    if ('problem' in tuned) throw new Error(tuned.problem)
    const engine = new Engine(compileRules([{ path: 'rule.yml', text }, { path: 'filter.yml', text: tuned.yaml }]).ruleSet)
    expect(engine.push([...falsePositives, ...attacks]).map((match) => match.kind === 'detection' && match.row)).toEqual([2, 3])
  })

  test.for<[title: string, falsePositives: readonly { readonly [field: string]: unknown }[], problem: string]>([
    ['matches that are alike', attacks, 'tells them from the true positives'],
    ['events that do not match', [harmless[0]!], 'the rule matches none of the false positives'],
  ])('%s are a problem', ([, positives, problem]) => {
    expect(tuneRule({ rule: { text }, falsePositives: positives, truePositives: attacks })).toMatchObject({ problem: expect.stringContaining(problem) })
  })
})
