import { Engine, WorkBudget, compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { DetectionItem, DetectionRule, SelectionBody } from '@tripline/engine/authoring'
import { describe, expect, test } from 'vitest'
import { createRuleTransform } from './apply-pipelines.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { listPlaceholderValues } from './placeholder-values.ts'
import { compareRuleParts } from './print-rule-parts.ts'
import type { RulePartChange } from './print-rule-parts.ts'

const rule = `title: Rule
status: test
level: high
tags: [attack.t1059]
logsource: { category: process_creation, product: windows }
fields: [Image, User]
detection:
  selection:
    Image|endswith: '\\cmd.exe'
    User: ['alice', 'bob']
  keywords: [evil, 'b*d']
  condition: selection or keywords
`

/** Prints the body of a selection: \`(a|endswith=x and (b=y or c=y))\`. */
function printBody(body: SelectionBody): string {
  if (body.kind === 'item') return printItem(body)
  if (body.kind === 'elements' || body.kind === 'nested') return body.kind
  return `(${body.of.map(printBody).join(body.kind === 'all' ? ' and ' : ' or ')})`
}

function printItem({ field, modifiers, values }: DetectionItem): string {
  return `${[field ?? '', ...modifiers].join('|')}=${values.map(({ value }) => String(value)).join(',')}`
}

function printRule({ logsource, detection, fields }: DetectionRule): string[] {
  return [
    ...(['category', 'product', 'service'] as const).flatMap((key) => logsource[key] ?? []),
    ...Array.from(detection.selections.values(), ({ name, body }) => `${name}: ${printBody(body)}`),
    ...detection.conditions.map(({ text }) => text),
    `fields: ${fields.join(' ')}`,
  ]
}

/** Compiles the rule with pipelines of these transformations, each a text. */
function transform(...pipelines: readonly string[]): readonly string[] {
  const apply = createRuleTransform(pipelines.map(parsePipeline))
  const rules: DetectionRule[] = []
  const { reports } = compileRules(rule, { transform: apply, onRule: (_, one) => rules.push(one) })
  const [report] = reports
  return rules.length > 0 ? printRule(rules[0]!) : report!.diagnostics.filter(({ kind }) => kind === 'error').map(({ message }) => message)
}

const plain = ['process_creation', 'windows', 'selection: (Image|endswith=\\cmd.exe and User=alice,bob)', 'keywords: =evil,b*d',
  'selection or keywords', 'fields: Image User']

/** The lines of the rule that a pipeline changes. */
function changes(lines: readonly string[]): string[] {
  return lines.filter((line) => !plain.includes(line))
}

const list = (...steps: string[]): string => `transformations:\n${steps.map((step) => `  - ${step}\n`).join('')}`

test('the rule as it is', () => {
  expect(transform('transformations: []')).toEqual(plain)
})

describe('transformations', () => {
  test.for<[step: string, changed: string[]]>([
    ['{ type: field_name_mapping, mapping: { Image: process.executable } }',
      ['selection: (process.executable|endswith=\\cmd.exe and User=alice,bob)', 'fields: process.executable User']],
    ['{ type: field_name_mapping, mapping: { Image: [a, b] } }',
      ['selection: ((a|endswith=\\cmd.exe or b|endswith=\\cmd.exe) and User=alice,bob)', 'fields: a b User']],
    ['{ type: field_name_prefix_mapping, mapping: { Im: x.Im } }',
      ['selection: (x.Image|endswith=\\cmd.exe and User=alice,bob)', 'fields: x.Image User']],
    ['{ type: field_name_prefix, prefix: win. }', ['selection: (win.Image|endswith=\\cmd.exe and win.User=alice,bob)', 'fields: win.Image win.User']],
    ['{ type: field_name_suffix, suffix: .keyword, field_name_conditions: [{ type: include_fields, fields: [User] }] }',
      ['selection: (Image|endswith=\\cmd.exe and User.keyword=alice,bob)', 'fields: Image User.keyword']],
    ['{ type: field_name_prefix, prefix: x_, field_name_conditions: [{ type: exclude_fields, fields: ["^I.*", "U.*"], mode: re }] }', []],
    ['{ type: drop_detection_item, field_name_conditions: [{ type: include_fields, fields: ["Us.r"] }] }', []],
    ['{ type: drop_detection_item, field_name_conditions: [{ type: include_fields, fields: ["Us.r"], mode: re }] }', ['selection: (Image|endswith=\\cmd.exe)']],
    ['{ type: drop_detection_item, field_name_conditions: [{ type: include_fields, fields: [User] }] }', ['selection: (Image|endswith=\\cmd.exe)']],
    ['{ type: add_condition, name: added, conditions: { EventID: 1, "Channel|contains": [a, b] } }',
      ['added: (EventID=1 and Channel|contains=a,b)', 'added and (selection or keywords)']],
    ['{ type: add_condition, name: added, negated: true, template: true, conditions: { index: "$product-$category" } }',
      ['added: (index=windows-process_creation)', 'not added and (selection or keywords)']],
    ['{ type: change_logsource, product: windows, service: sysmon }', ['sysmon']],
    ['{ type: set_field, fields: [a] }', ['fields: a']],
    ['{ type: add_field, field: a }', ['fields: Image User a']],
    ['{ type: remove_field, field: User }', ['fields: Image']],
    ['{ type: map_string, mapping: { alice: [carol, dave] } }', ['selection: (Image|endswith=\\cmd.exe and User=carol,dave,bob)']],
    ['{ type: replace_string, regex: "^(.)o", replacement: "\\\\1x" }', ['selection: (Image|endswith=\\cmd.exe and User=alice,bxb)']],
    ['{ type: set_value, value: 7, field_name_conditions: [{ type: include_fields, fields: [User] }] }',
      ['selection: (Image|endswith=\\cmd.exe and User=7)']],
    ['{ type: rule_failure, message: no such rules }', ['no such rules']],
    ['{ type: nest, items: [{ type: field_name_prefix, prefix: a. }, { type: field_name_prefix, prefix: b. }] }',
      ['selection: (b.a.Image|endswith=\\cmd.exe and b.a.User=alice,bob)', 'fields: b.a.Image b.a.User']],
  ])('%s', ([step, changed]) => {
    expect(changes(transform(list(step)))).toEqual(changed)
  })
})

describe('conditions', () => {
  const rename = 'type: field_name_mapping, mapping: { Image: X }'
  const renamed = 'fields: X User'
  test.for<[conditions: string, isApplied: boolean]>([
    ['rule_conditions: [{ type: logsource, product: windows }]', true],
    ['rule_conditions: [{ type: logsource, product: windows, category: process_creation }]', true],
    ['rule_conditions: [{ type: logsource, product: linux }]', false],
    ['rule_conditions: [{ type: logsource, service: sysmon }]', false],
    ['rule_conditions: [{ type: logsource, product: linux }, { type: tag, tag: attack.t1059 }], rule_cond_op: or', true],
    ['rule_conditions: [{ type: logsource, product: linux }, { type: tag, tag: attack.t1059 }]', false],
    ['rule_conditions: [{ type: logsource, product: linux }], rule_cond_not: true', true],
    ['rule_conditions: { a: { type: logsource, product: linux }, b: { type: is_sigma_rule } }, rule_cond_expr: not a and b', true],
    ['rule_conditions: { a: { type: logsource, product: linux }, b: { type: is_sigma_rule } }, rule_cond_expr: not (a or b)', false],
    ['rule_conditions: [{ type: contains_field, field: User }]', true],
    ['rule_conditions: [{ type: contains_field, field: user }]', false],
    ['rule_conditions: [{ type: contains_detection_item, field: User, value: bob }]', true],
    ['rule_conditions: [{ type: contains_detection_item, field: User, value: eve }]', false],
    ['rule_conditions: [{ type: rule_attribute, attribute: level, value: medium, op: gte }]', true],
    ['rule_conditions: [{ type: rule_attribute, attribute: level, value: high, op: gt }]', false],
    ['rule_conditions: [{ type: is_sigma_correlation_rule }]', false],
    ['field_name_conditions: [{ type: include_fields, fields: ["I.*"] }]', false],
    ['field_name_conditions: [{ type: include_fields, fields: ["I.*"], mode: re }]', true],
    ['field_name_conditions: [{ type: include_fields, fields: [Image] }]', true],
  ])('%s', ([conditions, isApplied]) => {
    expect(transform(list(`{ ${rename}, ${conditions} }`)).includes(renamed)).toBe(isApplied)
  })

  test.for<[conditions: string, values: string]>([
    ['type: match_string, cond: any, pattern: "al.*"', 'x'],
    ['type: match_string, cond: all, pattern: "al.*"', 'alice,bob'],
    ['type: match_string, cond: any, pattern: "lice"', 'alice,bob'],
    ['type: match_string, cond: any, pattern: "al.*", negate: true', 'alice,bob'],
    ['type: contains_wildcard, cond: any', 'alice,bob'],
    ['type: is_null, cond: any', 'alice,bob'],
  ])('items: %s', ([condition, values]) => {
    const step = `{ type: set_value, value: x, detection_item_conditions: [{ ${condition} }], field_name_conditions: [{ type: include_fields, fields: [User] }] }`
    expect(transform(list(step)).join()).toContain(`User=${values})`)
  })

  test('regular expressions of fields, and what steps before did', () => {
    const pattern = '{ id: one, type: field_name_prefix, prefix: a., field_name_conditions: [{ type: include_fields, fields: ["Im.ge"] }] }'
    expect(transform(list(pattern)).join()).not.toContain('a.Image')
    const steps = list(
      '{ id: one, type: field_name_mapping, mapping: { Image: exe } }',
      '{ type: field_name_suffix, suffix: .x, field_name_conditions: [{ type: processing_item_applied, processing_item_id: one }] }',
      '{ type: set_state, key: k, val: 1 }',
      '{ type: add_field, field: seen, rule_conditions: [{ type: processing_state, key: k, val: "1" }, { type: processing_item_applied, processing_item_id: one }] }',
      '{ type: add_field, field: unseen, rule_conditions: [{ type: processing_item_applied, processing_item_id: two }] }',
      '{ type: set_value, value: y, detection_item_conditions: [{ type: processing_item_applied, processing_item_id: one }] }',
    )
    expect(changes(transform(steps))).toEqual(['selection: (exe.x|endswith=y and User=alice,bob)', 'fields: exe.x User seen'])
  })
})

test('pipelines run in the order of their priorities, and share their state and variables', () => {
  const late = `priority: 20\n${list('{ type: field_name_mapping, mapping: { b: c }, rule_conditions: [{ type: processing_item_applied, processing_item_id: first }] }')}`
  const early = `priority: 10\n${list('{ id: first, type: field_name_mapping, mapping: { Image: b } }')}`
  expect(transform(late, early).at(-1)).toBe('fields: c User')
})

test('placeholders take values of the pipeline, and wildcards where it has none', () => {
  const text = rule.replace("User: ['alice', 'bob']", "User|expand: ['%admins%-%site%', x]")
  const rules: DetectionRule[] = []
  const pipeline = parsePipeline(`vars: { admins: [root, adm] }\n${list('{ type: value_placeholders, include: [admins] }', '{ type: wildcard_placeholders }')}`)
  compileRules(text, { transform: createRuleTransform([pipeline]), onRule: (_, one) => rules.push(one) })
  expect(printRule(rules[0]!)[2]).toBe('selection: (Image|endswith=\\cmd.exe and User=root-*,adm-*,x)')
})

test.for<[title: string, texts: readonly string[], values: object]>([
  ['no pipelines', [], {}],
  ['variables that no step takes', ['vars: { a: x }'], {}],
  ['a text, a number and a list', [`vars: { a: x, b: 5, c: [y, 6, true] }\n${list('{ type: value_placeholders }')}`], { a: ['x'], b: ['5'], c: ['y', '6', 'true'] }],
  ['names that are taken', [`vars: { a: x, b: y }\n${list('{ type: value_placeholders, include: [a, missing] }')}`], { a: ['x'] }],
  ['names that are left out', [`vars: { a: x, b: y }\n${list('{ type: value_placeholders, exclude: [a] }')}`], { b: ['y'] }],
  ['steps within others', [`vars: { a: x }\n${list('{ type: nest, items: [{ type: value_placeholders }] }')}`], { a: ['x'] }],
  ['the later of two pipelines', ['vars: { a: x, b: z }', `vars: { a: y }\n${list('{ type: value_placeholders }')}`], { a: ['y'], b: ['z'] }],
  ['wildcards, which are no values', [`vars: { a: x }\n${list('{ type: wildcard_placeholders }')}`], {}],
])('the values of placeholders are listed: %s', ([, texts, values]) => {
  expect(listPlaceholderValues(texts.map(parsePipeline))).toEqual(values)
})

test('a rewritten rule matches events as they are named there', () => {
  const pipeline = parsePipeline(list(
    '{ type: field_name_mapping, mapping: { Image: [proc.path, exe], User: who } }', '{ type: add_condition, conditions: { kind: [start, exec] } }',
    '{ type: change_logsource, product: acme }',
  ))
  const { ruleSet } = compileRules(rule, { transform: createRuleTransform([pipeline]) })
  const event = { _logsource: { product: 'acme' }, kind: 'exec', exe: 'C:\\cmd.exe', who: 'BOB' }
  const events = [event, { ...event, kind: 'end' }, { ...event, exe: 'x', proc: { path: 'c:\\CMD.exe' } }, { ...event, who: 'eve' }, { ...event, exe: 'evil' }]
  expect(new Engine(ruleSet).push(events).map((match) => match.kind === 'detection' ? match.row : -1)).toEqual([0, 2, 4])
})

describe('a log source with a list is rewritten for each of its log sources', () => {
  const listed = rule.replace('category: process_creation', 'category: [process_creation, network_connection]')
  const isCategory = (name: string): string => `rule_conditions: [{ type: logsource, category: ${name} }]`
  const numbered = (product: string): string => list(
    `{ type: add_condition, conditions: { EventID: 1 }, ${isCategory('process_creation')} }`,
    `{ type: add_condition, conditions: { EventID: 3 }, ${isCategory('network_connection')} }`,
    `{ type: change_logsource, product: ${product}, service: sysmon, ${isCategory('process_creation')} }`,
    `{ type: change_logsource, product: windows, service: sysmon, ${isCategory('network_connection')} }`,
  )
  const compile = (pipeline: string): ReturnType<typeof compileRules> => {
    return compileRules(listed, { transform: createRuleTransform([parsePipeline(pipeline)]) })
  }
  const findRows = (pipeline: string, events: readonly object[]): number[] => {
    return new Engine(compile(pipeline).ruleSet, { taxonomy: 'none' }).push([...events] as EventObject[])
      .map((match) => match.kind === 'detection' ? match.row : -1)
  }
  const sysmon = { _logsource: { product: 'windows', service: 'sysmon' }, Image: 'C:\\cmd.exe', User: 'bob' }

  test('each part has its own conditions', () => {
    const events = [1, 2, 3].map((id) => ({ ...sysmon, EventID: id }))
    expect(findRows(numbered('windows'), [...events, { ...sysmon, EventID: 3, User: 'eve' }])).toEqual([0, 2])
  })

  test('a list stays one where only log sources change', () => {
    const { ruleSet } = compile(list(`{ type: change_logsource, category: started, product: windows, ${isCategory('process_creation')} }`))
    expect(ruleSet.rules[0]!.logsource).toEqual({ product: 'windows', anyOf: { category: ['started', 'network_connection'] } })
  })

  test('parts that are no longer one rule are refused', () => {
    const { reports } = compile(numbered('acme'))
    expect(reports[0]!.diagnostics.map(({ code, kind, message }) => `${kind} ${code} ${message}`)).toContain(
      'error REFUSED_BY_PIPELINE the pipelines make different rules of the log sources that this rule lists; write a rule for each',
    )
  })
})

test.for<[type: string, values: string]>([
  ['type: convert_type, target_type: str', 'string 1,string 7,string x'],
  ['type: convert_type, target_type: num, detection_item_conditions: [{ type: match_value, cond: any, value: 7 }]', "the value 'x' is no number"],
  ['type: convert_type, target_type: bool', "the type 'bool' is neither 'str' nor 'num'"],
  ['type: set_value, value: 5, force_type: str', 'string 5'],
  ['type: set_value, value: "5", force_type: num', 'number 5'],
  ['type: set_value, value: 5, detection_item_conditions: [{ type: match_value, cond: all, value: 7 }]', 'number 1,number 7,string x'],
  ['type: set_value, value: 5, detection_item_conditions: [{ type: match_value, cond: any, value: "7" }]', 'number 1,number 7,string x'],
  ['type: set_value, value: 5, detection_item_conditions: [{ type: match_value, cond: any, value: x }]', 'number 5'],
])('types of values: %s', ([step, values]) => {
  const text = rule.replace("['alice', 'bob']", '[1, 7, x]')
  const pipeline = parsePipeline(list(`{ ${step}, field_name_conditions: [{ type: include_fields, fields: [User] }] }`))
  const found: string[] = []
  const { reports } = compileRules(text, { transform: createRuleTransform([pipeline]), onRule: (_, { detection }) => {
    const { body } = detection.selections.get('selection')!
    const item = body.kind === 'all' ? body.of[1] : undefined
    if (item?.kind === 'item') found.push(item.values.map(({ value }) => `${typeof value} ${String(value)}`).join(','))
  } })
  const errors = reports[0]!.diagnostics.filter(({ kind }) => kind === 'error')
  expect([...found, ...errors.map(({ message }) => message)]).toEqual([values])
})

test.for<[text: string, message: string]>([
  ['- a', 'a pipeline is one map'],
  ['a: [', 'the pipeline is no YAML'],
  ['transformation: []', "the pipeline has the unknown key 'transformation'"],
  [list('{ type: regex, method: plain }'), "transformations[0] has the type 'regex'"],
  [list('{ type: field_name_prefix, prefx: a }'), "has the unknown key 'prefx'"],
  [list('{ type: set_field, fields: [], rule_conditions: [{ type: logsorce }] }'), "rule_conditions[0] has the type 'logsorce'"],
  [list('{ type: set_field, fields: [], rule_conditions: { a: { type: is_sigma_rule } }, rule_cond_expr: b }'), "names 'b', which is no condition"],
  [list('{ type: set_field, fields: [], rule_conditions: { a: { type: is_sigma_rule } }, rule_cond_op: xor }'), "neither 'and' nor 'or'"],
  ['finalizers: [{ type: concat }]', "'finalizers' changes queries"],
])('refuses %j', ([text, message]) => {
  expect(() => parsePipeline(text)).toThrow(message)
})

test('a rule that a step cannot change is reported, others are not', () => {
  const failing = list('{ type: detection_item_failure, message: no bobs, detection_item_conditions: [{ type: match_string, pattern: bob }] }')
  expect(transform(failing)).toEqual(['no bobs'])
  expect(transform(list('{ type: convert_type, target_type: num }'))).toEqual(["the value '\\cmd.exe' is no number"])
  expect(transform(list('{ type: drop_detection_item }'))).toEqual(["the pipelines leave nothing of the rule's conditions"])
})

test.for<[condition: string, matched: readonly number[]]>([
  ['selection or keywords', [0]], ['selection and not keywords', [0]], ['keywords or not selection', [1, 2]], ['1 of *', [0]], ['all of them', [0]],
])('%s goes on without a selection that is left out', ([condition, matched]) => {
  const dropped = parsePipeline(list('{ type: drop_detection_item, detection_item_conditions: [{ type: match_string, pattern: evil }] }'))
  const text = rule.replace('condition: selection or keywords', `condition: ${condition}`)
  const { ruleSet } = compileRules(text, { transform: createRuleTransform([dropped]) })
  const events = [{ Image: 'C:\\cmd.exe', User: 'bob' }, { Image: 'evil' }, { User: 'bob' }]
  const placed = events.map((event) => ({ ...event, _logsource: { category: 'process_creation', product: 'windows' } }))
  expect(new Engine(ruleSet).push(placed).map((match) => match.kind === 'detection' ? match.row : -1)).toEqual(matched)
})

describe('the work of a pipeline is bounded', () => {
  const names = (count: number, prefix: string): string => JSON.stringify(Array.from({ length: count }, (_, i) => `${prefix}${i}`))
  const prefixes = (count: number): string[] => Array.from({ length: count }, (_, i) => `{ id: s${i}, type: field_name_prefix, prefix: ${'x'.repeat(90)} }`)
  test.for<[title: string, pipeline: string, message: string]>([
    ['fields that become many, again and again', list(
      `{ type: field_name_mapping, mapping: { Image: ${names(1_000, 'a')} } }`,
      `{ type: field_name_prefix_mapping, mapping: { a: ${names(1_000, 'b')} } }`,
    ), 'more than 1000000 work units'],
    ['names that grow', list(...prefixes(100)), 'a field name of more than 4096 characters'],
    ['values that grow', list(...Array.from({ length: 4 }, () => `{ type: replace_string, regex: ".", replacement: ${'y'.repeat(500)} }`)),
      'a value of more than 65536 characters'],
    ['conditions', list(...Array.from({ length: 101 }, () => '{ type: add_condition, conditions: { a: b } }')), 'more than 100 conditions'],
  ])('%s', ([, pipeline, message]) => {
    expect(transform(pipeline)).toEqual([expect.stringContaining(message)])
  })

  test('also over many rules that share a budget', () => {
    const budget = new WorkBudget(30)
    const apply = createRuleTransform([parsePipeline(list('{ type: field_name_prefix, prefix: a. }'))], { budget })
    const { reports } = compileRules(Array.from({ length: 5 }, (_, i) => ({ text: rule.replace('title: Rule', `title: Rule ${i}`) })), { transform: apply })
    expect(reports.map(({ verdict }) => verdict)).toEqual(['compiled', 'compiled', 'invalid', 'invalid', 'invalid'])
    expect(reports[2]?.diagnostics).toContainEqual(expect.objectContaining({ code: 'REFUSED_BY_PIPELINE', message: expect.stringContaining('30 work units') }))
  })
})

describe('the parts that pipelines change', () => {
  test.for<[title: string, step: string, changes: readonly object[]]>([
    ['nothing', '{ type: field_name_mapping, mapping: { Other: x } }', []],
    ['a field of many names', '{ type: field_name_mapping, mapping: { Image: [a, b] } }', [
      { part: 'detection.selection', before: "all of:\n  Image|endswith: '\\cmd.exe'\n  User: ['alice', 'bob']",
        after: "all of:\n  any of:\n    a|endswith: '\\cmd.exe'\n    b|endswith: '\\cmd.exe'\n  User: ['alice', 'bob']" },
      { part: 'fields', before: 'Image\nUser', after: 'a\nb\nUser' },
    ]],
    ['the log source', '{ type: change_logsource, product: acme }', [{ part: 'logsource', before: 'category: process_creation\nproduct: windows', after: 'product: acme' }]],
    ['a condition', '{ type: add_condition, name: own, conditions: { EventID: [1, null] } }', [
      { part: 'detection.condition', before: 'selection or keywords', after: 'own and (selection or keywords)' },
      { part: 'detection.own', before: undefined, after: 'EventID: [1, null]' },
    ]],
    ['a selection that is left out', '{ type: drop_detection_item, detection_item_conditions: [{ type: match_string, pattern: evil }] }',
      [{ part: 'detection.keywords', before: "keywords: ['evil', 'b*d']", after: undefined }]],
  ])('%s', ([, step, changes]) => {
    const pairs: RulePartChange[] = []
    const apply = createRuleTransform([parsePipeline(list(step))])
    compileRules(rule, { transform: { ...apply, detection: (one) => {
      const result = apply.detection(one)
      if ('rule' in result) pairs.push(...compareRuleParts(one, result.rule))
      return result
    } } })
    expect(pairs).toEqual(changes)
  })
})

test.for<[text: string, message: string]>([
  ['a: [', 'line 1, column'],
  ['', 'line 1, column 1: a pipeline is one map'],
  ['transformations: []\n---\nx: 1', 'line 3, column 1: a pipeline is one map'],
  ['name: x\nnonsense: 1', "line 2, column 1: the pipeline has the unknown key 'nonsense'"],
  ['vars: 1', "line 1, column 1: 'vars' is no map"],
  ['priority: first', "line 1, column 1: 'priority' is no number"],
  ['transformations:\n  - {type: field_name_prefix}', "line 2, column 5: 'prefix' of transformations[0] is missing"],
  ['transformations:\n  - type: field_name_prefix\n    prefix: []', "line 3, column 5: 'prefix' of transformations[0] is no text"],
  ['transformations:\n  - type: field_name_mapping\n    mapping:\n      a: {b: c}', "line 3, column 5: 'mapping' of transformations[0] gives 'a' neither a text nor a list"],
  ['transformations:\n  - type: nest\n    items:\n      - type: set_field\n        fields: x', "line 5, column 9: 'fields' of transformations[0].items[0] is no list of texts"],
  ['transformations:\n  - type: replace_string\n    regex: "("\n    replacement: x', "line 3, column 5: 'regex' of transformations[0] is no regular expression that runs"],
  ['transformations:\n  - type: add_field\n    field: x\n    rule_conditions:\n      - type: nonsense', "line 5, column 9: transformations[0].rule_conditions[0] has the type 'nonsense'"],
  ['transformations:\n  - type: drop_detection_item\n    field_name_conditions:\n      own: { type: include_fields, mode: re, fields: ["a", "("] }',
    "line 4, column 60: 'fields[1]' of transformations[0].field_name_conditions.own is no regular expression"],
  ['transformations:\n  - type: add_field\n    field: x\n    rule_cond_expr: a and', 'line 4, column 5: the expression names'],
])('%s is refused where it is wrong', ([text, message]) => {
  expect(() => parsePipeline(text)).toThrow(message)
})
