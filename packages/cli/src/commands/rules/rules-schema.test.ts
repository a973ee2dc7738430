import { ruleDocumentSchema } from '@tripline/contract/rule-file'
import { compileRules } from '@tripline/engine'
import { toPlainObject } from '@tripline/engine/authoring'
import { readYaml } from '@tripline/engine/yaml'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runCaptured } from '../../../test/run-captured.ts'

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url))

/** The maps of a file of rules. */
function readDocuments(text: string): readonly object[] {
  return (readYaml(text).documents ?? []).flatMap((node) => (node.kind === 'map' ? [toPlainObject(node.entries)] : []))
}

const isValid = (text: string): boolean => readDocuments(text).every((document) => ruleDocumentSchema.safeParse(document).success)

const rule = 'title: A\nlogsource: { product: x }\ndetection: { s: { a: 1 }, condition: s }\n'
const correlation = 'title: C\ncorrelation: { type: event_count, rules: [a], group-by: [u], timespan: 1m, condition: { gte: 3 } }\n'

describe('the schema of rules', () => {
  test('accepts each file of the fixtures whose rules all compile without advice on their form', () => {
    const paths = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yml'))
    const compiling = paths.map((path) => ({ path, text: readFileSync(`${fixtures}${path}`, 'utf8') })).filter(({ text }) => {
      const { reports } = compileRules([{ path: 'rule.yml', text }], {})
      const isSound = reports.every(({ verdict, diagnostics }) => verdict === 'compiled' && diagnostics.length === 0)
      return isSound && reports.length > 0 && !/^action:/m.test(text)
    })
    expect(compiling.length).toBeGreaterThan(20)
    expect(compiling.filter(({ text }) => !isValid(text)).map(({ path }) => path)).toEqual([])
  })

  test.for<[text: string, valid: boolean]>([
    [rule, true],
    [`${rule}tests: [{ event: { a: 1 }, match: true }]\n`, true],
    [`${rule}tests: [{ sequence: [{ event: {}, repeat: 3, every: 20s }], matches: [{ at: 40s, group: { u: al } }] }]\n`, true],
    [correlation, true],
    [rule.replace('title: A\n', ''), false],
    [rule.replace(', condition: s', ''), false],
    [`${rule}level: hihg\n`, false],
    [`${rule}tests: [{ evnt: {}, match: true }]\n`, false],
    [`${rule}tests: [{ event: {}, match: maybe }]\n`, false],
    [correlation.replace('event_count', 'events'), false],
    [correlation.replace('gte', 'least'), false],
  ])('%j is valid: %s', ([text, valid]) => {
    expect(isValid(text)).toBe(valid)
  })

  test('is printed as JSON Schema', async () => {
    const { code, stdout } = await runCaptured('rules schema')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', anyOf: [{}, {}, {}] })
  })
})
