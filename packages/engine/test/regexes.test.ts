import { describe, expect } from 'vitest'
import { compileRules } from '../src/index.ts'
import { compileRe2 } from '../src/predicate/matchers/re2.ts'
import { compileRegex, toRe2Source } from '../src/predicate/matchers/regex.ts'
import { parseCountedDot } from '../src/predicate/matchers/run-length.ts'
import type { Predicate, RegexTest } from '../src/predicate/predicate.ts'
import { compileSearch } from '../src/predicate/regex/compile-search.ts'
import { eachSharedLine, testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'

const eventsFile = 'events-windows-dev.ndjson.gz'

/** Values that never occur in real events and are slow for backtracking engines. */
const hostileValues = [
  '', '\n', '\n\n\n\n\n\n', '\0', ' '.repeat(5_000), 'a'.repeat(5_000), '0'.repeat(5_000), '%'.repeat(500), '`^{+"'.repeat(400),
  '0.'.repeat(1_000), 'cmd /c"set abc{0}\\" -f)'.repeat(50), 'cmd /c && set &&'.repeat(200), '\\x.y. '.repeat(300), '-1234'.repeat(500),
  'net  user é', '\u212aSſ', '😀'.repeat(300), 'https://010.1.1.1\n', 'C:\\Windows\\__11234567890.1\n', '\ud83d net user ',
]

describe('the regular expressions of SigmaHQ', () => {
  testWithShared([sigmaRulesFile], 'all run on the lazy DFA, except three that only count', () => {
    const regexes = compileRegexes()
    const others = regexes.filter(({ source }) => parseCountedDot(source) === undefined)
    expect(others.filter((regex) => compileSearch(toRe2Source(regex), regex) === undefined)).toEqual([])
    expect([regexes.length, others.length]).toEqual([154, 151])
  })

  testWithShared([sigmaRulesFile, eventsFile], 'agree with RE2 on real and hostile values', () => {
    const values = [...hostileValues, ...readEventValues(1_500)]
    for (const regex of compileRegexes()) {
      const search = compileRegex(regex)
      const reference = compileRe2(regex)
      const differing = values.filter((value) => search(value) !== reference.test(value))
      expect([regex.source, differing]).toEqual([regex.source, []])
    }
  })
})

/** Lists the distinct regular expressions of the rules. */
function compileRegexes(): RegexTest[] {
  const { ruleSet } = compileRules(sigmaRules([...activeFolders, 'deprecated', 'unsupported']))
  const all = ruleSet.rules.flatMap(({ predicate }) => listRegexes(predicate))
  return [...new Map(all.map((regex) => [JSON.stringify(regex), regex])).values()]
}

function listRegexes(predicate: Predicate): RegexTest[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(listRegexes)
    case 'not':
    case 'group':
    case 'elements':
      return listRegexes(predicate.of)
    case 'test':
      return predicate.value.kind === 'regex' ? [predicate.value] : []
    default:
      return []
  }
}

/** Reads distinct texts of recorded events from the fields that regular expressions read most. */
function readEventValues(count: number): Set<string> {
  const fields = ['CommandLine', 'ParentCommandLine', 'ScriptBlockText', 'TargetFilename', 'ImagePath', 'Payload', 'PipeName']
  const byField = new Map(fields.map((field) => [field, new Set<string>()]))
  for (const line of eachSharedLine(eventsFile)) {
    const event: Record<string, unknown> = JSON.parse(line)
    for (const [field, values] of byField) {
      const value = event[field]
      if (typeof value === 'string' && values.size < count / fields.length) values.add(value.slice(0, 5_000))
    }
  }
  return new Set([...byField.values()].flatMap((values) => [...values]))
}
