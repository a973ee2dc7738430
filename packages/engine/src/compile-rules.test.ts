import { describe, expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import type { CompileOptions } from './compile-rules.ts'
import { WorkBudget } from './compile/work-budget.ts'
import { printPattern } from './predicate/pattern.ts'
import type { Predicate } from './predicate/predicate.ts'

const head = 'title: T\nlogsource:\n    product: windows\n'

/** A rule around a detection section that is given as its lines. */
function rule(...detection: string[]): string {
  return `${head}detection:\n${detection.map((line) => `    ${line}\n`).join('')}`
}

/** What became of a text: per rule its verdict and its diagnostics as `line:column CODE`. */
function verdicts(text: string, options?: CompileOptions): string[] {
  return compileRules([{ text }], options).reports.map(({ verdict, diagnostics }) =>
    [verdict, ...diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`)].join(' '),
  )
}

/** A predicate on one line. */
function print(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return `(${predicate.kind} ${predicate.of.map(print).join(' ')})`
    case 'not':
      return `(not ${print(predicate.of)})`
    case 'group':
      return print(predicate.of)
    case 'constant':
      return String(predicate.value)
    case 'elements':
      return `[${predicate.field} ${predicate.quantifier} ${print(predicate.of)}]`
    case 'test': {
      const { kind, ...rest } = predicate.value
      const value = 'pattern' in rest ? `${printPattern(rest.pattern)}${rest.isCased ? ' cased' : ''}` : JSON.stringify(rest)
      return `[${predicate.field ?? ''} ${kind} ${value}]`
    }
  }
}

function lowered(...detection: string[]): string {
  const { ruleSet, reports } = compileRules([{ text: rule(...detection) }])
  const [compiled] = ruleSet.rules
  return compiled === undefined ? JSON.stringify(reports) : print(compiled.predicate)
}

describe('compileRules lowers', () => {
  test.for<[string, string[], string]>([
    ['a map to all of its items', ['s: {a: x, b: y}', 'condition: s'], '(and [a text x] [b text y])'],
    ['a list of values to any of them', ['s: {a: [x, y]}', 'condition: s'], '(or [a text x] [a text y])'],
    ['`all` to every value', ["s: {'a|contains|all': [x, y]}", 'condition: s'], '(and [a text *x*] [a text *y*])'],
    ['a list of maps to any of them', ['s: [{a: x}, {b: y, c: z}]', 'condition: s'], '(or [a text x] (and [b text y] [c text z]))'],
    ['a list of scalars to keywords', ['s: [x, 1]', 'condition: s'], '(or [ text *x*] [ text *1*])'],
    ['a scalar to a keyword', ['s: x', 'condition: s'], '[ text *x*]'],
    ['maps and scalars in one list', ['s: [x, {a: y}]', 'condition: s'], '(or [ text *x*] [a text y])'],
    ['an empty field name to keywords', ["s: {'|all': [x, y]}", 'condition: s'], '(and [ text *x*] [ text *y*])'],
    ['an anchored keyword without wildcards', ["s: {'|startswith': x}", 'condition: s'], '[ text x*]'],
    ['null and empty text', ["s: {a: null, b: ''}", 'condition: s'], '(and [a null {}] [b text ])'],
    ['numbers and booleans', ['s: {a: 1, b: 1.5, c: true}', 'condition: s'], '(and [a number {"value":1}] [b number {"value":1.5}] [c boolean {"value":true}])'],
    ['a number too large for a double', ['s: {a: 9007199254740993}', 'condition: s'], '[a number {"value":9007199254740992,"text":"9007199254740993"}]'],
    ['`neq` to a negation of every value', ["s: {'a|neq': [x, y]}", 'condition: s'], '(and (not [a text x]) (not [a text y]))'],
    ['`neq` with `all`', ["s: {'a|all|neq': [x, y]}", 'condition: s'], '(or (not [a text x]) (not [a text y]))'],
    ['`windash` to a class of dashes', ["s: {'a|windash|contains': ' -x'}", 'condition: s'], '[a text * [-/–—―]x*]'],
    ['a numeric key to its text', ['s: {1: x}', 'condition: s'], '[1 text x]'],
    ['a quantifier over one selection to it', ['s_1: {a: x}', 'condition: 1 of s_*'], '[a text x]'],
    ['several conditions to alternatives', ['s: {a: x}', 't: {b: y}', 'condition: [s, not t]'], '(or [a text x] (not [b text y]))'],
    ['merge keys and aliases', ['s: &s {a: x}', 't: {<<: *s, b: y}', 'condition: s or t'], '(or [a text x] (and [a text x] [b text y]))'],
  ])('%s', ([, detection, want]) => {
    expect(lowered(...detection)).toBe(want)
  })
})

describe('array syntax', () => {
  const version = 'sigma-version: 3\n'
  test.for<[string, string, string]>([
    ['an element of any list', "s: {'a[any].b|contains': x}", '[a any [b text *x*]]'],
    ['an element itself', "s: {'a[all]': x}", '[a all [. text x]]'],
    ['an index', "s: {'a.b[0]': x}", '[a.b 0 [. text x]]'],
    ['several lists', "s: {'a[any].b[none].c': x}", '[a any [b none [c text x]]]'],
    ['a block over one element', "s: {'a[any]': {b: x, c|gt: 1}}", '[a any (and [b text x] [c compare {"operator":"gt","value":1}])]'],
    ['a block with a condition', "s: {'a[all_or_empty]': {p: {b: x}, q: {c: y}, condition: p and not q}}", '[a all_or_empty (and [b text x] (not [c text y]))]'],
    ['escaped brackets', String.raw`s: {'a\[any\]': x}`, '[a[any] text x]'],
    ['other brackets', "s: {'a[x]': y}", '[a[x] text y]'],
  ])('reads %s', ([, selection, want]) => {
    const text = rule(selection, 'condition: s')
    const [marked, asked, plain] = [
      compileRules([{ text: version + text }]),
      compileRules([{ text }], { arraySyntax: true }),
      compileRules([{ text }]),
    ].map(({ ruleSet: { rules } }) => rules[0] && print(rules[0].predicate))
    expect([marked, asked]).toEqual([want, want])
    if (want.startsWith('[a[x]')) expect(plain).toBe(want)
    else expect(plain).not.toBe(want)
  })

  test('reports problems below a block', () => {
    const text = `${version}${rule("s: {'a[any]': {p: {'b|contians': x}, condition: p and r}}", 'condition: s')}`
    expect(verdicts(text)).toEqual(['invalid 6:24 UNKNOWN_MODIFIER 6:59 UNKNOWN_SELECTION'])
  })
})

describe('compileRules reports', () => {
  test.for<[string, string, string[]]>([
    ['a valid rule', rule('s: {a: x}', 'condition: s'), ['compiled']],
    ['invalid YAML', 'title: [', ['invalid 1:8 YAML']],
    ['no document', '# nothing', ['invalid 1:1 NOT_A_RULE']],
    ['a list', '- a', ['invalid 1:1 NOT_A_RULE']],
    ['an empty map', '{}', ['invalid 1:1 MISSING_ATTRIBUTE 1:1 INVALID_LOGSOURCE 1:1 MISSING_ATTRIBUTE']],
    ['all problems, not only the first', rule("s: {'a|contians': x, 'b|re': '['}", 'condition: s and selction'), ['invalid 5:9 UNKNOWN_MODIFIER 5:34 INVALID_REGEX 6:22 UNKNOWN_SELECTION']],
    ['an unknown selection', rule('selection: {a: x}', 'condition: selction'), ['invalid 6:16 UNKNOWN_SELECTION']],
    ['an unused selection', rule('s: {a: x}', 't: {b: y}', 'condition: s'), ['compiled 6:5 UNUSED_SELECTION']],
    ['an empty selection', rule('s: {}', 'condition: s'), ['invalid 5:5 EMPTY_DETECTION']],
    ['a selection without content', rule('s:', 'condition: s'), ['invalid 5:5 EMPTY_DETECTION']],
    ['an empty list of values', rule('s: {a: []}', 'condition: s'), ['invalid 5:12 EMPTY_DETECTION']],
    ['a nested map as value', rule('s: {a: {b: c}}', 'condition: s'), ['invalid 5:12 INVALID_VALUE']],
    ['a nested list as value', rule('s: {a: [[b]]}', 'condition: s'), ['invalid 5:13 INVALID_VALUE']],
    ['a missing condition', rule('s: {a: x}'), ['invalid 5:5 MISSING_ATTRIBUTE']],
    ['a regular expression that is a number', rule("s: {'a|re': 5}", 'condition: s'), ['invalid 5:17 INVALID_VALUE']],
    ['a look-ahead', rule("s: {'a|re': '(?=x)y'}", 'condition: s'), ['unsupported 5:17 UNSUPPORTED_REGEX']],
    ['an aggregation', rule('s: {a: x}', 'condition: s | count() > 5'), ['unsupported 6:18 UNSUPPORTED_AGGREGATION']],
    ['a missing placeholder', rule("s: {'a|expand': '%x%'}", 'condition: s'), ['needs_configuration 5:21 UNRESOLVED_PLACEHOLDER']],
    ['a missing placeholder and an error', rule("s: {'a|expand': '%x%', b: []}", 'condition: s'), ['invalid 5:21 UNRESOLVED_PLACEHOLDER 5:31 EMPTY_DETECTION']],
    ['another taxonomy', `taxonomy: ecs\n${rule('s: {a: x}', 'condition: s')}`, ['unsupported 1:11 UNKNOWN_TAXONOMY']],
    ['a correlation rule with only a type', 'title: T\ncorrelation: {type: event_count}', [
      'invalid 2:14 MISSING_ATTRIBUTE 2:14 MISSING_ATTRIBUTE 2:14 MISSING_ATTRIBUTE',
    ]],
    ['a filter rule with only its rules', 'title: T\nfilter: {rules: any}', ['invalid 1:1 INVALID_LOGSOURCE 2:9 MISSING_ATTRIBUTE']],
    ['wrong attributes', `id: x\nlevel: hgih\nstatus: 5\ndate: 2024-02-30\ntags: [x]\n${rule('s: {a: x}', 'condition: s')}`, ['compiled 1:5 INVALID_ATTRIBUTE 2:8 INVALID_ATTRIBUTE 3:9 INVALID_ATTRIBUTE 4:7 INVALID_ATTRIBUTE 5:1 INVALID_ATTRIBUTE']],
    ['a second rule with the same id', ['---\nid: 0d5d1a4e-6c3f-4a53-9d0c-4f0f4a3c7f10', '---\nid: 0D5D1A4E-6C3F-4A53-9D0C-4F0F4A3C7F10', ''].join(`\n${rule('s: {a: x}', 'condition: s')}`), ['compiled', 'compiled 10:1 DUPLICATE_ID']],
    ['an infinite number', rule('s: {a: .inf}', 'condition: s'), ['invalid 5:12 INVALID_VALUE']],
    ['a short Base64 variant', rule("s: {'a|base64offset|contains': ab}", 'condition: s'), ['compiled 5:36 BASE64_SHORT']],
    ['a lost backslash', rule(String.raw`s: {a: '\\server\share'}`, 'condition: s'), ['compiled 5:12 LOST_BACKSLASH']],
    ['every backslash doubled', rule(String.raw`s: {a: ['\\server\\share', '\\cmd.exe', '\\a\\b\\']}`, 'condition: s'), ['compiled']],
    ['a backslash lost of several', rule(String.raw`s: {a: '\\server\\share\x'}`, 'condition: s'), ['compiled 5:12 LOST_BACKSLASH']],
    ['an escaped wildcard', rule(String.raw`s: {a: 'C:\Windows\*'}`, 'condition: s'), ['compiled 5:12 ESCAPED_WILDCARD']],
    ['too many comparisons', rule(`s: {a: [${'x, '.repeat(2_000)}]}`, `condition: s${' or s'.repeat(50)}`), ['invalid 6:16 LIMIT_EXCEEDED']],
  ])('%s', ([, text, want]) => {
    expect(verdicts(text)).toEqual(want)
  })

  test.for<[string, string]>([
    ["s: {'a|contains|startswith': x}", 'compiled'],
    ["s: {'a|startswith|endswith': x}", 'invalid 5:9 MODIFIER_COMBINATION'],
    ["s: {'a|all|contains': [x, y]}", 'invalid 5:9 MODIFIER_COMBINATION'],
    ["s: {'a|contains|contains': x}", 'invalid 5:9 MODIFIER_COMBINATION'],
    ["s: {'a|hour|gte': 8}", 'compiled'],
    ["s: {'a|contains|base64': x}", 'invalid 5:9 MODIFIER_COMBINATION 5:30 INVALID_VALUE'],
    ["s: {'a|base64offset|contains': ab}", 'invalid 5:36 BASE64_SHORT'],
  ])('reports %s in strict mode as %s', ([selection, want]) => {
    expect(verdicts(rule(selection, 'condition: s'), { strict: true })).toEqual([want])
  })

  test('hints suggest the probable name', () => {
    const { reports } = compileRules([{ text: rule("selection: {'a|contians': x}", 'condition: selction') }])
    expect(reports[0]!.diagnostics.map(({ hint }) => hint)).toEqual(["did you mean 'contains'?", "did you mean 'selection'?"])
  })

  test('diagnostics name their attribute', () => {
    const text = `level: hgih\n${rule("selection: {b: x, 'a|contians': x}", 'condition: selction')}tags: [attack.x, x]\n`
    const { reports } = compileRules([{ text }])
    expect(reports[0]!.diagnostics.map(({ attribute }) => attribute)).toEqual([
      'level', 'detection.selection.a|contians', 'detection.condition', 'tags',
    ])
    expect(compileRules([{ text: head }]).reports[0]!.diagnostics.map(({ attribute }) => attribute)).toEqual([''])
  })

  test('placeholders expand to their values', () => {
    const text = rule("s: {'a|expand': 'x%hosts%'}", 'condition: s')
    const { ruleSet } = compileRules([{ text }], { placeholders: { hosts: ['1*', 2] } })
    expect(print(ruleSet.rules[0]!.predicate)).toBe('(or [a text x1*] [a text x2])')
  })
})

describe('a compiled rule', () => {
  test('has all attributes with their types', () => {
    const text = `title: T
id: 0d5d1a4e-6c3f-4a53-9d0c-4f0f4a3c7f10
related: [{id: x, type: derived}]
status: Stable
references: https://example.com
date: 2024/1/2
level: HIGH
tags: [attack.execution, attack.t1059.001]
__proto__: {x: 1}
custom: [1, {a: null}]
logsource: {product: Windows, service: 'Some Log', definition: text, extra: 1}
detection: {s: {a: x}, condition: s}`
    const { rule: got, level, logsource } = compileRules([{ text }]).ruleSet.rules[0]!
    expect({ ...got, detection: undefined, custom: JSON.stringify(got.custom) }).toMatchObject({
      title: 'T',
      related: [{ id: 'x', type: 'derived' }],
      status: 'stable',
      references: ['https://example.com'],
      date: '2024-01-02',
      level: 'high',
      tags: ['attack.execution', 'attack.t1059.001'],
      custom: '{"__proto__":{"x":1},"custom":[1,{"a":null}]}',
      logsource: { product: 'windows', service: 'some_log', definition: 'text' },
    })
    expect({ level, logsource }).toEqual({ level: 'high', logsource: { product: 'windows', service: 'some_log' } })
  })

  test('without an id has a derived id that ignores layout, comments and path', () => {
    const compact = 'title: T\nlogsource: {product: windows}\ndetection: {s: {a: x}, condition: s}'
    const spread = `# comment\n${rule('s:', '    a: x', 'condition: s')}`
    const [a, b] = [compact, spread].map((text) => compileRules([{ path: text, text }]).ruleSet.rules[0]!.id)
    expect(a).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(b).toBe(a)
  })
})

describe('rule collections', () => {
  const base = '---\naction: global\nlogsource: {product: windows}\nlevel: low\n'
  test.for<[string, string, string[]]>([
    ['global', `${base}---\ntitle: A\nlevel: high\ndetection: {s: {a: x}, condition: s}`, ['A low [a text x]']],
    ['global over maps', `---\naction: global\ndetection: {condition: s}\n---\ntitle: A\nlogsource: {product: p}\ndetection: {s: {a: x}}`, ['A undefined [a text x]']],
    ['reset', `${base}---\naction: reset\n---\ntitle: A\nlogsource: {product: p}\ndetection: {s: {a: x}, condition: s}`, ['A undefined [a text x]']],
    ['repeat', `---\ntitle: A\nlogsource: {product: p}\ndetection: {s: {a: x}, condition: s}\n---\naction: repeat\ntitle: B\ndetection: {s: {b: y}}`, ['A undefined [a text x]', 'B undefined (and [a text x] [b text y])']],
  ])('with %s', ([, text, want]) => {
    const { ruleSet } = compileRules([{ text }])
    expect(ruleSet.rules.map(({ title, level, predicate }) => `${title} ${level} ${print(predicate)}`)).toEqual(want)
  })

  test.for<[string, string]>([
    ['repeat', '---\naction: repeat\ntitle: B'],
    ['nonsense', '---\naction: nonsense\ntitle: B'],
  ])('rejects %s without a target', ([, text]) => {
    expect(verdicts(text)[0]).toMatch(/^invalid .*UNKNOWN_ACTION/)
  })
})

/** Texts that take long to compile, and the place where the budget of 10,000 units stops each. */
const costly: readonly (readonly [string, string, string])[] = [
  ['many values', rule(`s: {'a|contains': [${'x, '.repeat(3_000)}]}`, 'condition: s'), '1:1'],
  ['many regular expressions', rule(`s: {'a|re': [${"'a+b', ".repeat(150)}]}`, 'condition: s'), '6:16'],
  ['a large regular expression', rule("s: {'a|re': '(?:(?:abc){60}){16}'}", 'condition: s'), '6:16'],
  ['values that modifiers multiply', rule(`s: {'a|base64offset|contains': [${'abcdef, '.repeat(120)}]}`, 'condition: s'), '6:16'],
  ['a condition that repeats values', rule(`s: {a: [${'x, '.repeat(150)}]}`, `condition: s${' or s'.repeat(20)}`), '6:16'],
  ['many fields', rule(`s: {${Array.from({ length: 250 }, (_, i) => `k${i}: 1`).join(', ')}}`, 'condition: s'), '6:16'],
  ['a filter', `${head}filter: {condition: s, rules: any, s: {'a|re': [${"'a+b', ".repeat(150)}]}}\n`, '4:21'],
]

describe('a budget of work units', () => {
  test.for(costly)('stops %s', ([, text, place]) => {
    const budget = new WorkBudget(10_000)
    const [report] = compileRules([{ text, budget }]).reports
    expect(report?.verdict).toBe('invalid')
    expect(report?.diagnostics.filter(({ message }) => message.includes('10000 work units'))
      .map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual([`${place} LIMIT_EXCEEDED`])
    expect(compileRules([{ text }]).reports[0]?.verdict).toBe('compiled')
  })

  test('is shared by the sources that name it and spares the others', () => {
    const text = rule(`s: {a: [${'x, '.repeat(150)}]}`, 'condition: s')
    const budget = new WorkBudget(10_000)
    const { reports } = compileRules([{ text, budget }, { text: `id: 0d5d1a4e-6c3f-4a53-9d0c-4f0f4a3c7f10\n${text}`, budget }, { text: rule('t: {a: x}', 'condition: t') }])
    expect(reports.map(({ verdict }) => verdict)).toEqual(['compiled', 'invalid', 'compiled'])
  })
})
