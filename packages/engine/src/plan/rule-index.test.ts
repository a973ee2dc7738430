import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { someEvent, someFieldRef, somePredicate, someTest } from '../../test/generate/generate-predicates.ts'
import { all, any, fieldRef, isMatch, not, number, printPredicate, regex, createTest, text } from '../../test/predicates.ts'
import { printRequirement } from '../candidates/requirement.ts'
import type { EventObject, Logsource } from '../event/event.ts'
import { collectLeafTexts } from '../event/leaves.ts'
import { ValueView } from '../event/value-view.ts'
import { lookUp } from '../event/value.ts'
import { finishSteps } from '../finish-steps.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { summarizeAnchors } from './anchor-summary.ts'
import { RuleIndex } from './rule-index.ts'
import type { IndexRoute } from './rule-index.ts'

const windows: Logsource = { product: 'windows' }

/** An index over rules of one logsource. */
function indexOf(...predicates: readonly Predicate[]): RuleIndex {
  return finishSteps(RuleIndex.build(predicates.map((predicate) => ({ logsource: windows, predicate }))))
}

/** `product:category:service`, where a part may be left open. */
function parseLogsource(printed: string): Logsource {
  const [product = '', category = '', service = ''] = printed.split(':')
  return { ...(product && { product }), ...(category && { category }), ...(service && { service }) }
}

/** The rules that a route tries, by number. */
function rulesOf(index: RuleIndex, route: IndexRoute): number[] {
  return index.formulas.flatMap((_, rule) => (route.groups[index.groupByRule[rule]!] === 1 ? [rule] : []))
}

/** An atom in a line: `Image: *\cmd.exe`. */
function printAtom(index: RuleIndex, number_: number): string {
  const atom = index.atoms[number_]!
  return `${atom.field ?? '*'}: ${printPredicate(atom.kind === 'pair' ? createTest(atom.field, atom.test) : atom.predicate)}`
}

function holdsOf(index: RuleIndex, number_: number, event: EventObject): boolean {
  const atom = index.atoms[number_]!
  if (atom.kind === 'pair') return isMatch(createTest(atom.field, atom.test), event)
  return compileCheck(atom.predicate)(new ValueView(atom.field === undefined ? collectLeafTexts(event) : lookUp(event, atom.field)))
}

describe('routeOf', () => {
  const written = [
    'windows', 'windows:process_creation', 'windows::sysmon', 'windows:process_creation:sysmon', ':process_creation',
    '::sysmon', 'linux', 'windows:file_event',
  ]
  const index = finishSteps(RuleIndex.build(written.map((printed) => ({ logsource: parseLogsource(printed), predicate: text(printed, 'x') }))))

  test.for<[event: string, rules: string]>([
    ['windows', 'windows'],
    ['windows:process_creation', 'windows windows:process_creation :process_creation'],
    ['windows:process_creation:sysmon', 'windows windows:process_creation windows::sysmon windows:process_creation:sysmon :process_creation ::sysmon'],
    ['windows::sysmon', 'windows windows::sysmon ::sysmon'],
    ['windows:process_creation:security', 'windows windows:process_creation :process_creation'],
    ['linux:process_creation', ':process_creation linux'],
    ['linux windows:file_event', 'windows linux windows:file_event'],
    ['macos', ''],
    ['', ''],
    [':process_creation', ':process_creation'],
  ])('an event of %j meets the rules of %j', ([event, want]) => {
    const route = index.buildRoute(event.split(' ').filter((part) => part !== '').map(parseLogsource))
    const rules = rulesOf(index, route).map((rule) => written[rule])
    expect(rules.join(' ')).toBe(want)
    expect(new Set(route.fields.map((field) => index.fields[field]))).toEqual(new Set(rules))
  })

  test('all rules are met where all are wanted', () => {
    expect(rulesOf(index, index.buildRoute('all'))).toEqual([...written.keys()])
  })

  test('rules of one logsource are one group, whatever the order of its parts', () => {
    const logsources: Logsource[] = [{ product: 'a', service: 'b' }, { service: 'b', product: 'a' }, { product: 'a' }]
    const same = finishSteps(RuleIndex.build(logsources.map((logsource) => ({ logsource, predicate: text('a', 'x') }))))
    expect([...same.groupByRule]).toEqual([0, 0, 1])
    expect(same.groupCount).toBe(2)
  })

  test('fields come with the fewest atoms first, pairs and rules without an anchor only where their rules are', () => {
    const of = (product: string, predicate: Predicate) => ({ logsource: { product }, predicate })
    const mixed = finishSteps(RuleIndex.build([
      of('x', all(text('many', 'a'), text('few', 'a'))),
      of('x', any(text('many', 'b'), text('some', 'b'))),
      of('y', text('many', 'c')),
      of('y', any(text('some', 'd'), text('other', 'd'))),
      of('y', fieldRef('many', 'few')),
      of('x', not(text('few', 'a'))),
    ]))
    const routeOf = (product: string) => {
      const { fields, pairs, unanchored } = mixed.buildRoute([{ product }])
      return [fields.map((field) => mixed.fields[field]).join(' '), pairs.map(({ field, other }) => `${field} ${other}`).join(), unanchored.join()]
    }
    expect(routeOf('x')).toEqual(['few some many', '', '5'])
    expect(routeOf('y')).toEqual(['other some many', 'many few', ''])
    expect(routeOf('z')).toEqual(['', '', ''])
  })
})

describe('anchors', () => {
  const isAbove = createTest('n', { kind: 'compare', operator: 'gt', value: 5 })
  const [short, long] = [text('a', '*ab*'), text('b', '*powershell*')]

  test.for<[anchors: string, needed: string, predicate: Predicate]>([
    ['a: *ab*', 'a ...ab...', short],
    ['b: *powershell*', 'b ...powershell...', all(short, long)],
    ['a: *ab*, b: *powershell*', 'a ...ab..., b ...powershell...', any(short, long)],
    ['a: (*ab* & !x)', 'a ...ab...', all(short, not(text('a', 'x')))],
    ['a: *ab*', 'a ...ab...', all(short, not(long))],
    ['everything', 'anything', not(short)],
    ['everything', 'anything', any(short, not(long))],
    ['a: *ab*', 'a ...ab...', all(short, isAbove)],
    ['n: gt 5', 'any n', isAbove],
    ['a: *ab*', 'a ...ab...', all(short, regex('b', '.'))],
    ['n: gt 5', 'any n', all(isAbove, regex('b', '.'))],
    ['b: /./', 'any b', regex('b', '.')],
    ['n: 4688', 'n 4688', all(number('n', 4688), text('a', '*a*'))],
    ['a: *ab*', 'a ...ab...', all(fieldRef('a', 'b'), short)],
    ['a: contains b', 'a beside b', fieldRef('a', 'b', 'contains')],
    ['*: *powershell*', '* ...powershell...', text(undefined, '*powershell*')],
    ['', 'nothing', { kind: 'constant', value: false }],
    ['everything', 'anything', { kind: 'constant', value: true }],
    ['everything', 'anything', createTest('a', { kind: 'null' })],
  ])('are %s, and needed is %s', ([anchors, needed, predicate]) => {
    const index = indexOf(predicate)
    const printed = index.getAnchors(0)?.map((atom) => printAtom(index, atom)).join(', ') ?? 'everything'
    expect(printed).toBe(anchors)
    expect(summarizeAnchors(index, 0).needed.join(', ')).toBe(needed)
  })

  test.for<[title: string, predicate: Predicate, isSearchable: boolean, shortestText: number | undefined]>([
    ['a text', short, true, 2],
    ['two texts', any(short, long), true, 2],
    ['a number', number('n', 1), true, undefined],
    ['an order', isAbove, false, undefined],
    ['a text and an order', any(long, isAbove), false, 10],
    ['nothing', not(short), false, undefined],
  ])('anchoring of %s', ([title, predicate, isSearchable, shortestText]) => {
    expect(summarizeAnchors(indexOf(predicate), 0)).toMatchObject({ isAnchored: title !== 'nothing', isSearchable, shortestText })
  })

  test('the rules of an atom are those that it anchors; the others only read it', () => {
    const twice = any(all(short, text('c', 'x')), all(not(short), text('c', 'y')))
    const index = indexOf(all(short, long), short, all(not(short), long), twice)
    const [shortAtom, longAtom] = [0, 1]
    const listed = (visit: (take: (rule: number) => void) => void) => {
      const rules: number[] = []
      visit((rule) => rules.push(rule))
      return rules
    }
    expect([shortAtom, longAtom].map((atom) => listed((take) => index.rulesByAnchor.forEach(atom, take)))).toEqual([[1], [0, 2]])
    expect([shortAtom, longAtom].map((atom) => listed((take) => index.rulesByAtom.forEach(atom, take)))).toEqual([[0, 1, 2, 3], [0, 2]])
  })

  test('a rule that holds has no anchors, or one that holds', () => {
    const fields = ['a', 'b', 'c.d']
    const leaf = fc.oneof({ weight: 5, arbitrary: someTest([...fields, undefined]) }, { weight: 1, arbitrary: someFieldRef(fields) })
    fc.assert(
      fc.property(somePredicate(leaf), fc.array(someEvent(fields), { minLength: 3, maxLength: 3 }), (predicate, events) => {
        const index = indexOf(predicate)
        const anchors = index.getAnchors(0)
        expect(index.buildRoute('all').unanchored).toEqual(anchors === undefined ? [0] : [])
        if (anchors === undefined) return
        for (const event of events) {
          const isFound = anchors.some((atom) => holdsOf(index, atom, event))
          expect(isFound || !isMatch(predicate, event), anchors.map((atom) => printAtom(index, atom)).join(', ')).toBe(true)
        }
      }),
      { numRuns: 1500 },
    )
  })
})

describe('atoms', () => {
  const dear = regex('b', '.')

  test.for<[title: string, lazy: string, predicates: readonly Predicate[]]>([
    ['without a literal, beside an anchor', 'b: /./', [all(text('a', 'x'), dear)]],
    ['not, beside an anchor', 'b: /./', [all(text('a', 'x'), not(dear))]],
    ['alone', '', [dear]],
    ['an anchor of another rule', '', [all(text('a', 'x'), dear), dear]],
    ['with a literal', '', [all(text('a', 'abcdefgh'), regex('b', 'abc'))]],
    ['with a literal, not and beside null', '', [all(text('a', 'x'), not(any(regex('b', 'abc'), createTest('b', { kind: 'null' }))))]],
    ['of some length', '', [all(text('a', 'x'), regex('b', '[^c]{64}'))]],
    ['of a rule that nothing anchors', 'b: /./', [any(not(text('a', 'x')), dear)]],
    ['no regular expression', '', [all(text('a', 'x'), createTest('b', { kind: 'compare', operator: 'gt', value: 5 }))]],
  ])('a regular expression %s: lazy is %j', ([, lazy, predicates]) => {
    const index = indexOf(...predicates)
    const printed = index.atoms.flatMap((_, atom) => (index.isLazy[atom] === 1 ? [printAtom(index, atom)] : []))
    expect(printed.join(', ')).toBe(lazy)
  })

  test('those of a field tell which of them hold; lazy ones wait', () => {
    const index = indexOf(all(text('a', 'x'), dear), text('b', 'y'), not(text('b', 'z')))
    const atoms = index.getFieldAtoms(index.fields.indexOf('b'))
    const heldOf = (value: string) => {
      atoms.scanValue(value)
      return atoms.evaluateAtoms().atoms.map((atom) => printAtom(index, atom))
    }
    expect(['x', 'y', 'z'].map(heldOf)).toEqual([[], ['b: y'], ['b: z']])
    expect(index.getFieldAtoms(index.fields.indexOf('b'))).toBe(atoms)
  })

  test('those of a field for some groups are those that their rules read', () => {
    const index = finishSteps(RuleIndex.build([
      { logsource: { product: 'x' }, predicate: text(undefined, '*abc*') },
      { logsource: { product: 'y' }, predicate: text(undefined, '*bcd*') },
      { logsource: { product: 'y' }, predicate: any(text(undefined, '*abc*'), text('a', 'x')) },
    ]))
    const keywords = index.fields.indexOf(undefined)
    const textsOf = (product: string) => index.getFieldAtomsForGroups(keywords, index.buildRoute([{ product }]).groups).needles.map((needle) => needle.text)
    expect([textsOf('x'), textsOf('y'), textsOf('z')]).toEqual([['abc'], ['abc', 'bcd'], []])
    const atomsOf = (...products: string[]) => index.getFieldAtomsForGroups(keywords, index.buildRoute(products.map((product) => ({ product }))).groups)
    expect(atomsOf('x', 'y')).toBe(atomsOf('y'))
  })

  test('what an atom requires is known, of a pair nothing is', () => {
    const index = indexOf(all(text('a', '*x'), fieldRef('a', 'b')))
    const printed = index.atoms.map((_, atom) => `${printAtom(index, atom)} requires ${printRequirement(index.getRequirement(atom))}`)
    expect(printed.toSorted()).toEqual(['a: *x requires a ...x', 'a: equals b requires anything'])
    expect(index.pairs).toMatchObject([{ field: 'a', other: 'b' }])
  })
})
