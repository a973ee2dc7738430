import { diagnosticCodes } from '@tripline/engine'
import { describe, expect, test } from 'vitest'
import type { Check } from '../src/checks/define-checks.ts'
import { lintFamilies } from '../src/checks/lint-checks.ts'
import { applyFixes, fixRules, lintChecks, lintRules } from '../src/index.ts'
import type { LintFinding } from '../src/index.ts'
import { areEquivalentRules } from '../src/lint/rule-equivalence.ts'
import { framed } from './lint-frames.ts'

const retentionMs = 30 * 86_400_000
const rows = lintFamilies.flatMap((family) => family.checks.map((check) => ({ check, frame: check.frame ?? family.frame })))

const lint = (frame: Parameters<typeof framed>[0], example: string): LintFinding[] =>
  lintRules(framed(frame, example), { retentionMs, level: 'optional' }).flatMap(({ findings }) => findings)

const codesOf = (findings: readonly LintFinding[]): string[] => [...new Set(findings.map(({ code }) => code))]

test.for(rows.map(({ check, frame }) => [check.code, check, frame] as const))('%s', ([code, check, frame]) => {
  const findings = lint(frame, check.bad)
  expect(codesOf(findings).sort()).toEqual([code, ...(check.also === undefined ? [] : [check.also])].sort())
  expect(codesOf(lint(frame, check.good))).toEqual([])
  for (const { line, column, message, level } of findings.filter((finding) => finding.code === code)) {
    expect(level).toBe(check.level)
    expect(message).toMatch(/^\S.{8,}[^.]$/)
    expect(line).toBeGreaterThan(0)
    expect(column).toBeGreaterThan(0)
  }
})

describe('fixes of', () => {
  const fixable = rows.filter(({ check }) => check.fix !== undefined)

  test.for(fixable.map(({ check, frame }) => [check.code, check, frame] as const))('%s', ([code, check, frame]) => {
    const [source = { text: '' }] = framed(frame, check.bad)
    const finding = lint(frame, check.bad).find((finding) => finding.code === code)
    expect(finding?.fix?.isSafe).toBe(check.fix === 'safe')
    const once = applyFixes(source.text, finding?.fix === undefined ? [] : [finding.fix])
    expect(codesOf(lintRules([{ ...source, text: once.text }], { retentionMs })[0]!.findings)).not.toContain(code)
    expect(areEquivalentRules(source.text, once.text, {})).toBe(check.fix === 'safe')
  })

  test.for(fixable.map(({ check, frame }) => [check.code, check, frame] as const))('%s apply only when safe, once, and keep comments', ([code, check, frame]) => {
    const [source = { text: '' }] = framed(frame, check.bad)
    const commented = withComments(source.text, check)
    const { text, fixed } = fixRules({ ...source, text: commented })
    expect(codesOf(fixed)).toEqual(check.fix === 'safe' ? [code] : [])
    expect(commentsOf(text)).toEqual(commentsOf(commented))
    expect(fixRules({ ...source, text })).toMatchObject({ text, fixed: [] })
    const [before, after] = [commented, text].map((each) => new Set(each.split(/\r?\n/).map((line) => line.trimEnd())))
    expect([...before!].filter((line) => !after!.has(line)).length).toBeLessThanOrEqual(changedLinesMax(check))
  })
})

/** The maximum number of lines that a fix may change: the key and its values. */
function changedLinesMax({ code }: Check): number {
  return code === 'BYTE_ORDER_MARK' ? 1 : 2
}

/** Inserts a comment line before every attribute. */
function withComments(text: string, { code }: Check): string {
  return code === 'BYTE_ORDER_MARK' || code === 'CARRIAGE_RETURNS' ? text : text.replaceAll(/^(?=\w+:)/gm, '# Keep me.\n')
}

function commentsOf(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('#')).map((line) => line.trimEnd())
}

describe('the table of checks', () => {
  test('has at least 90 checks and 20 safe fixes, each code once', () => {
    const codes = lintChecks.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes.length).toBeGreaterThanOrEqual(90)
    expect(lintChecks.filter(({ fix }) => fix === 'safe').length).toBeGreaterThanOrEqual(20)
  })

  test('shares codes with diagnostics only for compiler checks', () => {
    const shared = lintChecks.filter(({ code }) => code in diagnosticCodes)
    expect(new Set(shared.map(({ family }) => family))).toEqual(new Set(['compiler']))
    expect(shared.length).toBe(lintChecks.filter(({ family }) => family === 'compiler').length)
  })

  test.for<[validator: string, codes: string[]]>([
    ['AllOfThemCondition', ['ALL_OF_THEM']],
    ['DanglingCondition', ['UNKNOWN_SELECTION']],
    ['DanglingDetection', ['UNUSED_SELECTION']],
    ['ThemConditionWithSingleDetection', ['THEM_IS_ONE']],
    ['DoubleWildcard', ['WILDCARD_DOUBLE']],
    ['NumberAsString', ['NUMBER_QUOTED']],
    ['ControlCharacter', ['CONTROL_CHARACTER']],
    ['WildcardsInsteadOfModifiers', ['WILDCARDS_FOR_MODIFIER']],
    ['EscapedWildcard', ['ESCAPED_WILDCARD']],
    ['InvalidModifierCombinations', ['MODIFIER_COMBINATION']],
    ['IdentifierExistence', ['MISSING_ID']],
    ['IdentifierUniqueness', ['DUPLICATE_ID']],
    ['DuplicateTitle', ['TITLE_REPEATED']],
    ['DuplicateReferences, DuplicateTag', ['DUPLICATE_VALUE']],
    ['DuplicateFilename', ['FILE_NAME_REPEATED']],
    ['FilenameLength', ['FILE_NAME_LENGTH']],
    ['CustomAttributes', ['MISSPELT_ATTRIBUTE']],
    ['ATTACKTag', ['ATTACK_TAG_UNKNOWN', 'ATTACK_TACTIC_FORM']],
    ['D3FENDTag, CARTag, CVETag', ['D3FEND_TAG_FORM', 'CAR_TAG_FORM', 'CVE_TAG_FORM']],
    ['TLPTag, DetectionTag, STPTag', ['TLP_TAG_FORM', 'DETECTION_TAG_FORM', 'STP_TAG_FORM']],
    ['NamespaceTag, TagFormat', ['TAG_NAMESPACE', 'INVALID_ATTRIBUTE']],
    ['SpecificInsteadOfGenericLogsource', ['EVENT_ID_INSTEAD_OF_CATEGORY']],
    ['FieldnameLogsource', ['FIELD_OF_OTHER_CATEGORY']],
  ])('covers the reference validator %s: %j', ([, codes]) => {
    const known = new Set([...lintChecks.map(({ code }) => code), ...Object.keys(diagnosticCodes)])
    expect(codes.filter((code) => !known.has(code))).toEqual([])
  })

  test('describes each check in one sentence', () => {
    expect(lintChecks.filter(({ text }) => !/^[A-Z'`].*\.$/.test(text))).toEqual([])
  })
})
