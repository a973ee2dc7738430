import type { Predicate, Test, ValueTest } from '@tripline/engine/predicate'
import type { EventFeed } from './event-feed.ts'

/** A search to be timed, as a predicate and as SQL over the columns of `sqlite-events.ts`. */
export type TimedQuery = {
  readonly name: string
  readonly predicate: Predicate
  /** Undefined where SQL would mean something else. */
  readonly where: string | undefined
}

/** The workloads of issue 5. */
export function timedQueries({ rareHost }: EventFeed): readonly TimedQuery[] {
  const shells = anyOf(textMatches('Image', '*\\powershell.exe'), textMatches('Image', '*\\cmd.exe'))
  return [
    { name: 'everything', predicate: { kind: 'constant', value: true }, where: '1' },
    { name: 'rare term', predicate: textMatches('Computer', rareHost), where: `Computer = '${rareHost}'` },
    { name: 'common term', predicate: textMatches('Channel', 'Security'), where: `Channel = 'Security'` },
    { name: 'prefix', predicate: textMatches('Image', 'C:\\Windows\\System32\\*'), where: `Image LIKE 'C:\\Windows\\System32\\%'` },
    {
      name: 'range',
      predicate: { kind: 'and', of: [compares('EventID', 'gte', 4_600), compares('EventID', 'lte', 4_700)] },
      where: 'EventID BETWEEN 4600 AND 4700',
    },
    {
      name: 'AND, OR, NOT',
      predicate: { kind: 'and', of: [shells, negate(textMatches('CommandLine', '*whoami*'))] },
      where: `(Image LIKE '%\\powershell.exe' OR Image LIKE '%\\cmd.exe') AND coalesce(CommandLine NOT LIKE '%whoami%', 1)`,
    },
    {
      name: 'NOT-heavy',
      predicate: { kind: 'and', of: ['Security', 'System', 'Application'].map((channel) => negate(textMatches('Channel', channel))) },
      where: `coalesce(Channel NOT IN ('Security', 'System', 'Application'), 1)`,
    },
    { name: 'word in a long field', predicate: textMatches('ScriptBlockText', '*invoke*'), where: `ScriptBlockText LIKE '%invoke%'` },
    { name: 'word that is nowhere', predicate: textMatches('CommandLine', '*xyzzy*'), where: `CommandLine LIKE '%xyzzy%'` },
    { name: 'rare keyword', predicate: textMatches(undefined, '*downloadstring*'), where: `text LIKE '%downloadstring%'` },
    { name: 'keyword', predicate: textMatches(undefined, '*certutil*'), where: `text LIKE '%certutil%'` },
    { name: 'common keyword', predicate: textMatches(undefined, '*rundll32*'), where: `text LIKE '%rundll32%'` },
    // Annotations of the recorded events hold this word too, and keywords are not searched there.
    { name: 'keyword in annotations too', predicate: textMatches(undefined, '*mimikatz*'), where: undefined },
  ]
}

function createTest(field: string | undefined, value: ValueTest): Test {
  return { kind: 'test', field, value, written: { item: field ?? '', operator: 'eq' }, writtenValue: '' }
}

function textMatches(field: string | undefined, pattern: string): Test {
  const parts = pattern.split(/(\*)/).filter((part) => part !== '')
  const read = parts.map((part) => (part === '*' ? { kind: 'any' as const } : { kind: 'text' as const, text: part }))
  return createTest(field, { kind: 'text', pattern: read, isCased: false })
}

function compares(field: string, operator: 'gte' | 'lte', value: number): Test {
  return createTest(field, { kind: 'compare', operator, value })
}

function anyOf(...of: readonly Predicate[]): Predicate {
  return { kind: 'or', of }
}

function negate(of: Predicate): Predicate {
  return { kind: 'not', of }
}
