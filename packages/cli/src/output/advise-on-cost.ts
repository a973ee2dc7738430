import type { RuleCost } from '@tripline/engine'

type Advice = { readonly applies: (cost: RuleCost) => boolean; readonly say: (cost: RuleCost) => string }

/** What the author of a rule can do about its cost; the first row that applies is said. */
const adviceRows: readonly Advice[] = [
  {
    applies: ({ metEvents, sampledNs }) => metEvents === 0 && (sampledNs ?? 0) > 0,
    say: () => 'none of these events has its logsource; its time is that of comparing fields that other events have, too',
  },
  {
    applies: ({ metEvents }) => metEvents === 0,
    say: () => 'none of these events has its logsource',
  },
  {
    applies: ({ isAnchored }) => !isAnchored,
    say: () => 'no requirement: runs on every event of its logsource; add a literal that must be there',
  },
  {
    applies: ({ isSearchable }) => !isSearchable,
    say: () => 'nothing in it can be looked for, so that every new value is compared; add a literal that must be there, '
      + 'beside its regular expression or in it',
  },
  {
    applies: ({ metEvents, confirmed }) => metEvents >= 100 && confirmed * 10 >= metEvents,
    say: ({ metEvents, confirmed }) =>
      `holds on ${formatCount(confirmed)} of the ${formatCount(metEvents)} events that it met: is it meant to?`,
  },
  {
    applies: ({ asked, confirmed }) => asked >= 100 && asked > 10 * confirmed,
    say: ({ asked, confirmed }) => `what it looks for is common: its matcher was asked about ${formatCount(asked)} events, `
      + `of which ${formatCount(confirmed)} match; add a literal that tells them apart`,
  },
  {
    applies: (cost) => (cost.shortestText ?? Infinity) <= 4
      && (cost.candidates > 10 + cost.confirmed || computeNsPerEvent(cost) >= 1_000),
    say: ({ shortestText = 0 }) => `the shortest text that it looks for has ${shortestText} `
      + `${shortestText === 1 ? 'character' : 'characters'} and is common; look for a longer one`,
  },
  {
    applies: (cost) => cost.asked === 0 && computeNsPerEvent(cost) >= 100,
    say: () => 'its time is that of comparisons such as regular expressions and networks, which are asked of new values '
      + 'whatever else it requires',
  },
  {
    applies: ({ candidates, asked }) => candidates === 0 && asked === 0,
    say: () => 'never a candidate in these events',
  },
]

/** Says in a sentence what to do about a rule's cost, or what to know of it; undefined where there is nothing to say. */
export function findCostAdvice(cost: RuleCost): string | undefined {
  return adviceRows.find(({ applies }) => applies(cost))?.say(cost)
}

function computeNsPerEvent({ sampledNs = 0, metEvents }: RuleCost): number {
  return metEvents === 0 ? 0 : sampledNs / metEvents
}

function formatCount(number: number): string {
  return number.toLocaleString('en')
}
