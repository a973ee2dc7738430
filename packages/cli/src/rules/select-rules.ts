import { levels, suggestName } from '@tripline/engine'
import type { Level } from '@tripline/engine'
import { usageError } from '../framework/command-error.ts'

/** The options that say which rules' matches are shown. */
export const selectionOptions = {
  'min-level': {
    kind: 'choice', value: '<level>', choices: levels, help: `Shows matches of rules of this level or above: ${levels.join(', ')}.`,
  },
  tag: {
    kind: 'repeated', value: '<tag>',
    help: 'Shows matches of rules with this tag, such as attack.t1059 (with its sub-techniques) or attack.execution. May be '
      + 'repeated: any counts.',
  },
  rule: { kind: 'repeated', value: '<rule>', help: 'Shows matches of this rule: its id, name, title or file. May be repeated.' },
} as const

type RuleSelection = { readonly 'min-level': Level | undefined; readonly tag: readonly string[]; readonly rule: readonly string[] }

/** A rule as selections see it. */
type SelectableRule = {
  readonly id: string; readonly name?: string | undefined; readonly title: string; readonly level: Level | undefined
  readonly path: string; readonly tags: readonly string[]
}

/**
 * Makes the test of which rules' matches are shown; all rules run, as correlations need them.
 *
 * @throws ExitError (2) for a rule or tag that no rule has.
 */
export function createRuleFilter(selection: RuleSelection, rules: readonly SelectableRule[]): (rule: SelectableRule) => boolean {
  const { 'min-level': levelMin, tag: tags, rule: names } = selection
  for (const name of names) {
    if (rules.some((rule) => isNamed(rule, name))) continue
    const near = suggestName(name, rules.flatMap(({ id, title }) => [id, title]))
    throw usageError(`option '--rule' is '${name}', which no rule is called${near === undefined ? '' : `; ${near}`}`)
  }
  for (const tag of tags) {
    if (!rules.some((rule) => hasTag(rule, tag))) throw usageError(`option '--tag' is '${tag}', which no rule has`)
  }
  const least = levelMin === undefined ? undefined : levels.indexOf(levelMin)
  return (rule) => (least === undefined || (rule.level !== undefined && levels.indexOf(rule.level) >= least))
    && (tags.length === 0 || tags.some((tag) => hasTag(rule, tag)))
    && (names.length === 0 || names.some((name) => isNamed(rule, name)))
}

function isNamed({ id, name, title, path }: SelectableRule, wanted: string): boolean {
  const word = wanted.toLowerCase()
  const file = path.split(/[\\/]/).at(-1)
  return [id, name, title, path, file, file?.replace(/\.ya?ml$/i, '')].some((one) => one?.toLowerCase() === word)
}

/** A technique stands for its sub-techniques; blanks, hyphens and underscores are one. */
function hasTag({ tags }: SelectableRule, wanted: string): boolean {
  const word = normalizeTag(wanted)
  return tags.some((tag) => {
    const own = normalizeTag(tag)
    return own === word || (/^attack\.t\d{4}$/.test(word) && own.startsWith(`${word}.`))
  })
}

function normalizeTag(tag: string): string {
  const word = tag.trim().toLowerCase().replaceAll(/[_ ]/g, '-')
  return /^t\d{4}(?:\.\d{3})?$/.test(word) ? `attack.${word}` : word
}
