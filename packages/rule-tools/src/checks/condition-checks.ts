import { listSelectionNames } from '@tripline/engine/authoring'
import type { Condition } from '@tripline/engine/authoring'
import type { LintCondition, LintDocument } from '../document/lint-document.ts'
import { defineCheckFamily } from './define-checks.ts'
import type { Finding } from './define-checks.ts'
import { allOrNone, rewriteScalar } from './edits.ts'
import { tryCondition } from './implication.ts'
import type { Implication } from './implication.ts'
import { selectionImplies } from './implied-selection.ts'

/** A condition without syntax errors. */
type ParsedLintCondition = LintCondition & { readonly tree: Condition }

/** The logic of conditions, decided by truth table: small conditions are tried on every combination of their selections. */
export const conditionChecks = defineCheckFamily({
  name: 'conditions',
  frame: 'detection',
  subjects: ({ conditions }) => conditions.filter((condition): condition is ParsedLintCondition => condition.tree !== undefined),
  checks: [
    {
      code: 'CONDITION_NEVER_HOLDS', level: 'problem',
      text: 'The condition contradicts itself and never matches.',
      bad: 'selection:\n  User: bob\ncondition: selection and not selection',
      good: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: selection and not filter',
      find: ({ tree, scalar }) => tryCondition(tree)?.canHold === false
        ? { offset: scalar.offset, message: `'${scalar.text}' contradicts itself and never matches` } : undefined,
    },
    {
      code: 'CONDITION_ALWAYS_HOLDS', level: 'problem',
      text: 'The condition matches every event.',
      bad: 'selection:\n  User: bob\ncondition: selection or not selection',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: ({ tree, scalar }) => tryCondition(tree)?.canFail === false
        ? { offset: scalar.offset, message: `'${scalar.text}' matches every event` } : undefined,
    },
    {
      code: 'CONDITION_ONLY_EXCLUDES', level: 'advice',
      text: 'The condition only excludes, so it matches nearly every event.',
      bad: 'filter:\n  User: bob\ncondition: not filter',
      good: 'selection:\n  Image: a\nfilter:\n  User: bob\ncondition: selection and not filter',
      find: ({ document, tree, scalar }) => {
        if (document.kind === 'filter' || tryCondition(tree)?.canFail !== true || !matchesEmptyEvent(tree)) return
        return { offset: scalar.offset, message: `'${scalar.text}' only excludes, so it matches nearly every event` }
      },
    },
    {
      code: 'SELECTION_UNREACHABLE', level: 'problem',
      text: 'The condition names a selection that never changes its result.',
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or (one and two)',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
      find: ({ tree, scalar }) => {
        const truth = tryCondition(tree)
        if (truth === undefined || !truth.canHold || !truth.canFail) return
        return truth.idle.map((name) => ({
          offset: scalar.offset, message: `'${name}' never changes the result of '${scalar.text}'`,
        }))
      },
    },
    {
      code: 'FILTER_COVERS_SELECTION', level: 'problem',
      text: 'The filters exclude every event that the selections match, so the condition never matches.',
      bad: "selection:\n  Image|endswith: '\\cmd.exe'\nfilter:\n  Image|endswith: '.exe'\ncondition: selection and not filter",
      good: "selection:\n  Image|endswith: '\\cmd.exe'\nfilter:\n  User: bob\ncondition: selection and not filter",
      find: ({ document, tree, scalar }) => {
        if (tryCondition(tree)?.canHold !== true || tryCondition(tree, findImplications(document, tree))?.canHold !== false) return
        return { offset: scalar.offset, message: `'${scalar.text}' excludes every event that it selects` }
      },
    },
    {
      code: 'SELECTION_IMPLIED', level: 'advice',
      text: 'A selection never changes the result, because another selection covers it.',
      bad: "one:\n  Image|endswith: '\\cmd.exe'\ntwo:\n  Image|endswith: '.exe'\ncondition: one or two",
      good: "one:\n  Image|endswith: '\\cmd.exe'\ntwo:\n  Image|endswith: '.com'\ncondition: one or two",
      find: ({ document, tree, scalar }) => {
        const plain = tryCondition(tree)
        const implied = plain && tryCondition(tree, findOneWayImplications(findImplications(document, tree)))
        if (plain === undefined || implied === undefined || !implied.canHold || !implied.canFail) return
        return implied.idle.filter((name) => !plain.idle.includes(name)).map((name) => (
          { offset: scalar.offset, message: `'${name}' never changes the result of '${scalar.text}': another selection covers it` }))
      },
    },
    {
      code: 'FILTER_NOT_EXCLUDED', level: 'advice',
      text: 'The condition requires a selection whose name begins with "filter".',
      bad: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: selection and filter',
      good: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: selection and not filter',
      find: ({ tree, scalar }) => [...new Set(listRequiredSelections(tree, true))].filter((name) => /^filter/i.test(name)).map((name) => (
        { offset: scalar.offset, message: `the condition requires '${name}' instead of excluding it`, hint: "is 'not' missing?" })),
    },
    {
      code: 'NOT_ALL_OF_FILTERS', level: 'advice',
      text: 'The condition excludes only events that match all filters at once.',
      bad: 'a:\n  User: bob\nfilter_a:\n  Image: a\nfilter_b:\n  Image|endswith: b\ncondition: a and not all of filter_*',
      good: 'a:\n  User: bob\nfilter_a:\n  Image: a\nfilter_b:\n  Image|endswith: b\ncondition: a and not 1 of filter_*',
      find: ({ tree, scalar: { offset } }) => listNegatedQuantifiers(tree).flatMap(({ isAll, names, pattern }) => {
        if (!isAll || names.length < 2 || !/^filter/i.test(pattern)) return []
        const message = `the condition excludes only events that match all of '${pattern}'`
        return [{ offset, message, hint: `write 'not 1 of ${pattern}'` }]
      }),
    },
    {
      code: 'THEM_HOLDS_FILTERS', level: 'problem',
      text: "'of them' includes the selections named filter.",
      bad: 'selection:\n  User: bob\nfilter:\n  Image: a\ncondition: 1 of them',
      good: 'selection:\n  User: bob\nselection_b:\n  Image: a\ncondition: 1 of selection*',
      find: ({ document, tree, scalar }) => {
        const filter = document.selections.find(({ name }) => /^filter/i.test(name))
        const isUsed = listQuantifiers(tree).some(({ pattern }) => pattern === 'them')
        if (filter === undefined || !isUsed || tryCondition(tree)?.canHold === false) return
        return {
          offset: scalar.offset, message: `'them' includes '${filter.name}'`,
          hint: "name the selections, or start the filter's name with '_'",
        }
      },
    },
    {
      code: 'ALL_OF_THEM', level: 'style',
      text: "'all of them' also requires every selection that is added later.",
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: all of them',
      good: 'selection_a:\n  User: bob\nselection_b:\n  Image: a\ncondition: all of selection_*',
      find: ({ document, tree, scalar }) => {
        const isUsed = listQuantifiers(tree).some(({ isAll, pattern }) => isAll && pattern === 'them')
        return !isUsed || document.selections.length < 2 ? undefined
          : {
            offset: scalar.offset, message: "'all of them' also requires every selection that is added later",
            hint: "write 'all of selection_*'",
          }
      },
    },
    {
      code: 'THEM_IS_ONE', level: 'style', fix: 'safe',
      text: "'of them' refers to a single selection.",
      bad: 'selection:\n  User: bob\ncondition: 1 of them',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: (condition) => {
        const them = listQuantifiers(condition.tree).find(({ pattern, names }) => pattern === 'them' && names.length === 1)
        const form = /\b(?:1|any|all)\s+of\s+them\b/gi
        return them && rewriteCondition(condition, form, them.names[0]!, `'them' refers only to '${them.names[0]}'`)
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
        const message = `'${lonely.pattern}' has no wildcard and names one selection`
        return rewriteCondition(condition, form, lonely.pattern, message, 'is a * missing?')
      },
    },
    {
      code: 'DOUBLE_NEGATION', level: 'style', fix: 'safe',
      text: "'not not' has no effect.",
      bad: 'selection:\n  User: bob\ncondition: not not selection',
      good: 'selection:\n  User: bob\ncondition: selection',
      find: (condition) => hasDoubleNegation(condition.tree)
        ? rewriteCondition(condition, /\bnot\s+not\s+/gi, '', 'two negations cancel each other') : undefined,
    },
    {
      code: 'OPERAND_REPEATED', level: 'style', fix: 'safe',
      text: "'and' or 'or' repeats an operand.",
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or one or two',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
      find: (condition) => {
        const name = findRepeatedOperand(condition.tree)
        if (name === undefined) return
        const words = condition.scalar.text.split(/\s+/).filter((word) => /^(?:and|or|not)$/i.test(word))
        const isFlat = new Set(words).size === 1 && words[0] !== 'not'
        const form = new RegExp(`(?<![\\w-])${name}\\s+${words[0] ?? ''}\\s+(?=${name}(?![\\w*-]))`, 'g')
        const message = `the operand '${name}' is repeated`
        return isFlat ? rewriteCondition(condition, form, '', message) : { offset: condition.scalar.offset, message }
      },
    },
    {
      code: 'PARENTHESES_REDUNDANT', level: 'style', fix: 'safe',
      text: 'Parentheses surround the whole condition or a single selection.',
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: (one or two)',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition: one or two',
      find: (condition) => {
        const { text } = condition.scalar
        const single = /\(\s*([\w-]+)\s*\)/g
        if (text.search(single) !== -1) return rewriteCondition(condition, single, '$1', 'the parentheses surround a single selection')
        if (!isWrapped(text)) return
        return rewriteCondition(condition, /^\s*\(\s*([^]*?)\s*\)\s*$/, '$1', 'the parentheses surround the whole condition')
      },
    },
    {
      code: 'AND_OR_MIXED', level: 'advice',
      text: "The condition mixes 'and' and 'or' without parentheses.",
      bad: 'one:\n  User: bob\ntwo:\n  Image: a\nthree:\n  Image|endswith: b\ncondition: one and two or three',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\nthree:\n  Image|endswith: b\ncondition: (one and two) or three',
      find: ({ scalar }) => mixesOperators(scalar.text)
        ? {
          offset: scalar.offset, message: `'${scalar.text}' mixes 'and' and 'or'; 'and' binds first`,
          hint: 'add parentheses',
        } : undefined,
    },
  ],
})

/** Checks over all conditions of a rule that has several. */
export const conditionListChecks = defineCheckFamily({
  name: 'condition lists',
  frame: 'detection',
  subjects: (document: LintDocument) => document.conditions.length > 1 ? [document] : [],
  checks: [
    {
      code: 'CONDITION_REPEATED', level: 'problem',
      text: 'A rule has the same condition twice.',
      bad: 'one:\n  User: bob\ncondition:\n  - one\n  - one',
      good: 'one:\n  User: bob\ntwo:\n  Image: a\ncondition:\n  - one\n  - two',
      find: ({ conditions }) => {
        const firsts = new Map(conditions.toReversed().map(({ scalar }) => [scalar.text, scalar]))
        return conditions.filter(({ scalar }) => firsts.get(scalar.text) !== scalar)
          .map(({ scalar }) => ({ offset: scalar.offset, message: `the condition '${scalar.text}' is repeated` }))
      },
    },
  ],
})

type Quantifier = Condition & { readonly kind: 'quantifier' }

/** Returns a finding with the edit that rewrites the condition. */
function rewriteCondition({ document, scalar }: ParsedLintCondition, from: RegExp, to: string, message: string, hint?: string): Finding {
  const text = scalar.text.replace(from, to)
  const edits = text === scalar.text ? undefined : allOrNone([rewriteScalar(document.text, scalar, text)])
  return { offset: scalar.offset, message, hint: hint ?? (text === scalar.text ? undefined : `write '${text}'`), edits }
}

/** Finds the pairs of selections where one matches whenever the other does. */
function findImplications({ selections }: LintDocument, tree: Condition): Implication[] {
  const named = new Set(listSelectionNames(tree))
  const nodes = selections.filter(({ name, entry }) => named.has(name) && entry.value.kind !== 'scalar')
  return nodes.flatMap((first) => nodes
    .filter((second) => first !== second && selectionImplies(first.entry.value, second.entry.value))
    .map((second) => ({ of: first.name, implies: second.name })))
}

/** Drops implications between equal selections, which another check reports. */
function findOneWayImplications(implications: readonly Implication[]): Implication[] {
  return implications.filter(({ of, implies }) => !implications.some((other) => other.of === implies && other.implies === of))
}

function matchesEmptyEvent(tree: Condition): boolean {
  if (tree.kind === 'not') return !matchesEmptyEvent(tree.of)
  if (tree.kind === 'and') return tree.of.every(matchesEmptyEvent)
  return tree.kind === 'or' && tree.of.some(matchesEmptyEvent)
}

/** Lists the selections under an even number of negations, which the condition requires. */
function* listRequiredSelections(tree: Condition, isRequired: boolean): Generator<string> {
  if (tree.kind === 'not') yield* listRequiredSelections(tree.of, !isRequired)
  else if (tree.kind === 'and' || tree.kind === 'or') for (const part of tree.of) yield* listRequiredSelections(part, isRequired)
  else if (isRequired && tree.kind === 'selection') yield tree.name
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

/** Finds the first selection that is twice an operand of one operator. */
function findRepeatedOperand(tree: Condition): string | undefined {
  if (tree.kind === 'not') return findRepeatedOperand(tree.of)
  if (tree.kind !== 'and' && tree.kind !== 'or') return undefined
  const names = tree.of.flatMap((part) => part.kind === 'selection' ? part.name : [])
  const own = names.length === new Set(names).size ? undefined : names.find((name, i) => names.indexOf(name) !== i)
  return own ?? tree.of.map(findRepeatedOperand).find((name) => name !== undefined)
}

/** Whether the last character closes the first parenthesis. */
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

/** Whether the condition, or one of its parentheses, mixes both operators on one level. */
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
