import { Engine, compileRules } from '@tripline/engine'
import { detectionMatches } from '@tripline/engine/test/detection-matches'
import { events, rules } from '@tripline/engine/test/generate/generate'
import { placeholders } from '@tripline/engine/test/generate/generate-items'
import { referenceMatches } from '@tripline/engine/test/reference/reference'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixRules, lintRules } from '../src/index.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)
const batches = fc.array(events, { minLength: 1, maxLength: 8 })

describe(`lint over random rules and events, seed ${seed}`, () => {
  test('a fixed rule matches the same events', () => {
    const fixedCodes = new Set<string>()
    fc.assert(fc.property(rules, batches, (rule, batch) => {
      const { text, fixed } = fixRules({ text: printYaml(rule, '') }, { placeholders })
      for (const { code } of fixed) fixedCodes.add(code)
      const { ruleSet, reports } = compileRules([{ text }], { placeholders })
      expect(reports.map(({ verdict }) => verdict)).toEqual(['compiled'])
      const engine = new Engine(ruleSet, { taxonomy: 'none', lenient: true })
      const matched = new Set(detectionMatches(engine.push(batch)).map(({ row }) => row))
      expect(batch.map((_, row) => matched.has(row))).toEqual(batch.map((event) => referenceMatches(rule, event, { placeholders })))
    }), { seed, numRuns: 400 })
    expect(fixedCodes.size).toBeGreaterThan(6)
  })

  test('conditions reported as never or always true match nothing or everything', () => {
    let judgedCount = 0
    fc.assert(fc.property(rules, batches, (rule, batch) => {
      const [report] = lintRules([{ text: printYaml(rule, '') }], { placeholders })
      const codes = new Set(report?.findings.map(({ code }) => code))
      const conditions = (rule['detection'] as { readonly condition: unknown }).condition
      // One of several conditions may never be true although the rule matches.
      const isSingle = typeof conditions === 'string'
      const matches = batch.map((event) => referenceMatches(rule, event, { placeholders }))
      const neverHolds = isSingle && (codes.has('CONDITION_NEVER_HOLDS') || codes.has('FILTER_COVERS_SELECTION'))
      const alwaysHolds = codes.has('CONDITION_ALWAYS_HOLDS')
      expect(neverHolds && matches.includes(true)).toBe(false)
      expect(alwaysHolds && matches.includes(false)).toBe(false)
      if (neverHolds || alwaysHolds) judgedCount++
    }), { seed, numRuns: 1_500 })
    expect(judgedCount).toBeGreaterThan(30)
  })
})

/** Prints a value in the style of an author: blocks, and single quotes where possible. */
function printYaml(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item: unknown) => `\n${indent}- ${inline(item, indent)}`).join('')
  if (typeof value !== 'object' || value === null) return inline(value, indent)
  const lines = Object.entries(value).map(([key, member]) => `${indent}${inline(key, indent)}: ${inline(member, indent)}`)
  return lines.join('\n')
}

/** Prints the value after a key or a hyphen. */
function inline(value: unknown, indent: string): string {
  if (typeof value === 'string') return /^[\x20-\x7e]*$/.test(value) ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value)
  if (Array.isArray(value)) return value.length === 0 ? '[]' : printYaml(value, `${indent}  `)
  return typeof value === 'object' && value !== null ? `\n${printYaml(value, `${indent}  `)}` : JSON.stringify(value)
}
