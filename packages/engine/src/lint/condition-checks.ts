import { listSelectionNames } from '../sigma/condition.ts'
import type { Condition } from '../sigma/condition.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { Finding } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'
import { tryCondition } from './implication.ts'
import type { Implication } from './implication.ts'
import { selectionImplies } from './implied-selection.ts'
import type { LintCondition, LintDocument } from './lint-document.ts'

/** A condition that could be read. */
type ParsedLintCondition = LintCondition & { readonly tree: Condition }

/** The logic of conditions (sigma.md section 7), tried on every combination of their selections where there are few. */
export const conditionChecks = defineCheckFamily({
  name: 'conditions',
  frame: 'detection',
  subjects: ({ conditions }) => conditions.filter((condition): condition is ParsedLintCondition => condition.tree !== undefined),
  checks: [
    {
      code: 'CONDITION_NEVER_HOLDS', level: 'problem',
      text: 'The condition holds on no event, whatever its selections say.',
      bad: 'selection:\n  User: bob\ncondition: selection and not selection',
      good: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: selection and not filter',
      find: ({ tree, scalar }) => tryCondition(tree)?.canHold === false
        ? { offset: scalar.offset, message: `'${scalar.text}' contradicts itself and never holds` } : undefined,
    },
    {
      code: 'CONDITION_ALWAYS_HOLDS', level: 'problem',
      text: 'The condition holds on every event, whatever its selections say.',
      bad: 'selection:\n  User: bob\ncondition: selection or not selection',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: ({ tree, scalar }) => tryCondition(tree)?.canFail === false
        ? { offset: scalar.offset, message: `'${scalar.text}' holds on every event` } : undefined,
    },
    {
      code: 'CONDITION_ONLY_EXCLUDES', level: 'problem',
      text: 'The condition holds where none of its selections does, which is on nearly every event.',
      bad: 'filter:\n  User: bob\ncondition: not filter',
      good: 'selection:\n  Image: a\nfilter:\n  User: bob\ncondition: selection and not filter',
      find: ({ document, tree, scalar }) => {
        if (document.kind === 'filter' || tryCondition(tree)?.canFail !== true || !matchesEmptyEvent(tree)) return
        return { offset: scalar.offset, message: `'${scalar.text}' holds wherever no selection does, on nearly every event` }
      },
    },
    {
      code: 'SELECTION_UNREACHABLE', level: 'problem',
      text: 'The condition names a selection that never changes its outcome.',
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or (one and two)',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
      find: ({ tree, scalar }) => {
        const truth = tryCondition(tree)
        if (truth === undefined || !truth.canHold || !truth.canFail) return
        return truth.idle.map((name) => ({
          offset: scalar.offset, message: `'${name}' never changes whether '${scalar.text}' holds`,
        }))
      },
    },
    {
      code: 'FILTER_COVERS_SELECTION', level: 'problem',
      text: 'What the condition excludes holds wherever its selections do, so that it never holds.',
      bad: "selection:\n  Image|endswith: '\\cmd.exe'\nfilter:\n  Image|endswith: '.exe'\ncondition: selection and not filter",
      good: "selection:\n  Image|endswith: '\\cmd.exe'\nfilter:\n  User: bob\ncondition: selection and not filter",
      find: ({ document, tree, scalar }) => {
        if (tryCondition(tree)?.canHold !== true || tryCondition(tree, findImplications(document, tree))?.canHold !== false) return
        return { offset: scalar.offset, message: `whatever '${scalar.text}' selects, it also excludes` }
      },
    },
    {
      code: 'SELECTION_IMPLIED', level: 'advice',
      text: 'A selection never changes the outcome, because another one holds wherever it does.',
      bad: "one:\n  Image|endswith: '\\cmd.exe'\ntwo:\n  Image|endswith: '.exe'\ncondition: one or two",
      good: "one:\n  Image|endswith: '\\cmd.exe'\ntwo:\n  Image|endswith: '.com'\ncondition: one or two",
      find: ({ document, tree, scalar }) => {
        const plain = tryCondition(tree)
        const implied = plain && tryCondition(tree, findOneWayImplications(findImplications(document, tree)))
        if (plain === undefined || implied === undefined || !implied.canHold || !implied.canFail) return
        return implied.idle.filter((name) => !plain.idle.includes(name)).map((name) => (
          { offset: scalar.offset, message: `'${name}' makes no difference to '${scalar.text}': another selection covers it` }))
      },
    },
    {
      code: 'FILTER_NOT_EXCLUDED', level: 'advice',
      text: 'A selection that is called a filter is not excluded, but asked for.',
      bad: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: selection and filter',
      good: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: selection and not filter',
      find: ({ tree, scalar }) => [...new Set(listRequiredSelections(tree, true))].filter((name) => /^filter/i.test(name)).map((name) => (
        { offset: scalar.offset, message: `'${name}' is asked for, not excluded`, hint: "is 'not' missing?" })),
    },
    {
      code: 'NOT_ALL_OF_FILTERS', level: 'advice',
      text: 'Only events that fit all filters at once are excluded.',
      bad: 'a:\n  User: bob\nfilter_a:\n  Image: a\nfilter_b:\n  Image|endswith: b\ncondition: a and not all of filter_*',
      good: 'a:\n  User: bob\nfilter_a:\n  Image: a\nfilter_b:\n  Image|endswith: b\ncondition: a and not 1 of filter_*',
      find: ({ tree, scalar: { offset } }) => listNegatedQuantifiers(tree).flatMap(({ isAll, names, pattern }) => {
        if (!isAll || names.length < 2 || !/^filter/i.test(pattern)) return []
        return [{ offset, message: `only events that fit all of '${pattern}' are excluded`, hint: `write 'not 1 of ${pattern}'` }]
      }),
    },
    {
      code: 'THEM_HOLDS_FILTERS', level: 'problem',
      text: "'of them' means all selections, those called filter too.",
      bad: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: 1 of them',
      good: 'selection:\n  User: bob\nselection_b:\n  Image: a\ncondition: 1 of selection*',
      find: ({ document, tree, scalar }) => {
        const filter = document.selections.find(({ name }) => /^filter/i.test(name))
        const isUsed = listQuantifiers(tree).some(({ pattern }) => pattern === 'them')
        if (filter === undefined || !isUsed || tryCondition(tree)?.canHold === false) return
        return {
          offset: scalar.offset, message: `'them' includes '${filter.name}'`,
          hint: "name the selections, or begin the filter's name with '_'",
        }
      },
    },
    {
      code: 'ALL_OF_THEM', level: 'style',
      text: "'all of them' asks for whatever selection anybody adds.",
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: all of them',
      good: 'selection_a:\n  User: bob\nselection_b:\n  Image: a\ncondition: all of selection_*',
      find: ({ document, tree, scalar }) => {
        const isUsed = listQuantifiers(tree).some(({ isAll, pattern }) => isAll && pattern === 'them')
        return !isUsed || document.selections.length < 2 ? undefined
          : {
            offset: scalar.offset, message: "'all of them' also asks for selections that are added later",
            hint: "write 'all of selection_*'",
          }
      },
    },
    {
      code: 'THEM_IS_ONE', level: 'style', fix: 'safe',
      text: "'of them' means a single selection.",
      bad: 'selection:\n  User: bob\ncondition: 1 of them',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: (condition) => {
        const them = listQuantifiers(condition.tree).find(({ pattern, names }) => pattern === 'them' && names.length === 1)
        return them && rewriteCondition(condition, /\b(?:1|any|all)\s+of\s+them\b/gi, them.names[0]!, `'them' is only '${them.names[0]}'`)
      },
    },
    {
      code: 'QUANTIFIER_WITHOUT_PATTERN', level: 'style', fix: 'safe',
      text: 'A quantifier names one selection, without a wildcard.',
      bad: 'selection:\n  User: bob\ncondition: 1 of selection',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: (condition) => {
        const lonely = listQuantifiers(condition.tree).find(({ pattern }) => pattern !== 'them' && !pattern.includes('*'))
        if (lonely === undefined) return
        const form = new RegExp(`(?<![\\w*-])(?:1|any|all)\\s+of\\s+${lonely.pattern}(?![\\w*-])`, 'gi')
        return rewriteCondition(condition, form, lonely.pattern, `the pattern '${lonely.pattern}' is one selection`, 'is a * missing?')
      },
    },
    {
      code: 'DOUBLE_NEGATION', level: 'style', fix: 'safe',
      text: "'not not' says nothing.",
      bad: 'selection:\n  User: bob\ncondition: not not selection',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: (condition) => hasDoubleNegation(condition.tree)
        ? rewriteCondition(condition, /\bnot\s+not\s+/gi, '', 'two negations say nothing') : undefined,
    },
    {
      code: 'OPERAND_REPEATED', level: 'style', fix: 'safe',
      text: "'and' or 'or' joins a part with itself.",
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or one or two',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
      find: (condition) => {
        const name = findRepeatedOperand(condition.tree)
        if (name === undefined) return
        const words = condition.scalar.text.split(/\s+/).filter((word) => /^(?:and|or|not)$/i.test(word))
        const isFlat = new Set(words).size === 1 && words[0] !== 'not'
        const form = new RegExp(`(?<![\\w-])${name}\\s+${words[0] ?? ''}\\s+(?=${name}(?![\\w*-]))`, 'g')
        const message = `'${name}' is joined with itself`
        return isFlat ? rewriteCondition(condition, form, '', message) : { offset: condition.scalar.offset, message }
      },
    },
    {
      code: 'PARENTHESES_REDUNDANT', level: 'style', fix: 'safe',
      text: 'Parentheses stand around the whole condition, or around a single selection.',
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: (one or two)',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
      find: (condition) => {
        const { text } = condition.scalar
        const single = /\(\s*([\w-]+)\s*\)/g
        if (text.search(single) !== -1) return rewriteCondition(condition, single, '$1', 'parentheses stand around a single selection')
        if (!isWrapped(text)) return
        return rewriteCondition(condition, /^\s*\(\s*([^]*?)\s*\)\s*$/, '$1', 'parentheses stand around the whole condition')
      },
    },
    {
      code: 'AND_OR_MIXED', level: 'advice',
      text: "'and' and 'or' stand side by side without parentheses.",
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\nthree:\n  Image|endswith: b\ncondition: one and two or three',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\nthree:\n  Image|endswith: b\ncondition: (one and two) or three',
      find: ({ scalar }) => mixesOperators(scalar.text)
        ? {
          offset: scalar.offset, message: `'${scalar.text}' leaves to the reader that 'and' binds first`,
          hint: 'write parentheses',
        } : undefined,
    },
  ],
})

/** Several conditions of one rule. */
export const conditionListChecks = defineCheckFamily({
  name: 'condition lists',
  frame: 'detection',
  subjects: (document: LintDocument) => document.conditions.length > 1 ? [document] : [],
  checks: [
    {
      code: 'CONDITION_REPEATED', level: 'problem',
      text: 'A rule states a condition twice.',
      bad: 'one:\n  User: bob\ncondition:\n  - one\n  - one',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition:\n  - one\n  - two',
      find: ({ conditions }) => {
        const firsts = new Map(conditions.toReversed().map(({ scalar }) => [scalar.text, scalar]))
        return conditions.filter(({ scalar }) => firsts.get(scalar.text) !== scalar)
          .map(({ scalar }) => ({ offset: scalar.offset, message: `the condition '${scalar.text}' stands twice` }))
      },
    },
  ],
})

type Quantifier = Condition & { readonly kind: 'quantifier' }

/** The finding that the condition would better be written in another way. */
function rewriteCondition({ document, scalar }: ParsedLintCondition, from: RegExp, to: string, message: string, hint?: string): Finding {
  const text = scalar.text.replace(from, to)
  const edits = text === scalar.text ? undefined : allOrNone([rewriteScalar(document.text, scalar, text)])
  return { offset: scalar.offset, message, hint: hint ?? (text === scalar.text ? undefined : `write '${text}'`), edits }
}

/** Which selections of a condition hold wherever others of it do. */
function findImplications({ selections }: LintDocument, tree: Condition): Implication[] {
  const named = new Set(listSelectionNames(tree))
  const nodes = selections.filter(({ name, entry }) => named.has(name) && entry.value.kind !== 'scalar')
  return nodes.flatMap((first) => nodes
    .filter((second) => first !== second && selectionImplies(first.entry.value, second.entry.value))
    .map((second) => ({ of: first.name, implies: second.name })))
}

/** The implications without those of selections that say the same, which is said of them anyway. */
function findOneWayImplications(implications: readonly Implication[]): Implication[] {
  return implications.filter(({ of, implies }) => !implications.some((other) => other.of === implies && other.implies === of))
}

function matchesEmptyEvent(tree: Condition): boolean {
  if (tree.kind === 'not') return !matchesEmptyEvent(tree.of)
  if (tree.kind === 'and') return tree.of.every(matchesEmptyEvent)
  return tree.kind === 'or' && tree.of.some(matchesEmptyEvent)
}

/** The selections that stand under an even number of negations. */
function* listRequiredSelections(tree: Condition, isAsked: boolean): Generator<string> {
  if (tree.kind === 'not') yield* listRequiredSelections(tree.of, !isAsked)
  else if (tree.kind === 'and' || tree.kind === 'or') for (const part of tree.of) yield* listRequiredSelections(part, isAsked)
  else if (isAsked && tree.kind === 'selection') yield tree.name
}

function listQuantifiers(tree: Condition): Quantifier[] {
  if (tree.kind === 'quantifier') return [tree]
  if (tree.kind === 'not') return listQuantifiers(tree.of)
  return tree.kind === 'selection' ? [] : tree.of.flatMap(listQuantifiers)
}

function listNegatedQuantifiers(tree: Condition): Quantifier[] {
  if (tree.kind === 'not') return tree.of.kind === 'quantifier' ? [tree.of] : listNegatedQuantifiers(tree.of)
  return tree.kind === 'and' || tree.kind === 'or' ? tree.of.flatMap(listNegatedQuantifiers) : []
}

function hasDoubleNegation(tree: Condition): boolean {
  if (tree.kind === 'not') return tree.of.kind === 'not' || hasDoubleNegation(tree.of)
  return (tree.kind === 'and' || tree.kind === 'or') && tree.of.some(hasDoubleNegation)
}

/** The first selection that one operator joins with itself. */
function findRepeatedOperand(tree: Condition): string | undefined {
  if (tree.kind === 'not') return findRepeatedOperand(tree.of)
  if (tree.kind !== 'and' && tree.kind !== 'or') return undefined
  const names = tree.of.flatMap((part) => part.kind === 'selection' ? part.name : [])
  const own = names.length === new Set(names).size ? undefined : names.find((name, i) => names.indexOf(name) !== i)
  return own ?? tree.of.map(findRepeatedOperand).find((name) => name !== undefined)
}

/** Whether the first parenthesis is closed by the last character. */
function isWrapped(text: string): boolean {
  const trimmed = text.trim()
  let depth = 0
  for (let i = 0; i < trimmed.length; i++) {
    if (trimmed[i] === '(') depth++
    if (trimmed[i] === ')') depth--
    if (depth === 0) return i === trimmed.length - 1 && trimmed[i] === ')'
  }
  return false
}

/** Whether some parenthesis, or the whole, holds both operators beside each other. */
function mixesOperators(text: string): boolean {
  const levels: Set<string>[] = [new Set()]
  for (const [word] of text.toLowerCase().matchAll(/[\w*-]+|[()]/g)) {
    if (word === '(') levels.push(new Set())
    else if (word === ')') levels.pop()
    else if (word === 'and' || word === 'or') levels.at(-1)?.add(word)
    if ((levels.at(-1)?.size ?? 0) > 1) return true
  }
  return false
}
