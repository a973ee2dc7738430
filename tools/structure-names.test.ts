import { expect, test } from 'vitest'
import { listFiles, readText } from './workspace.ts'

/**
 * Standard structures and the files that implement them: each carries its name in the field, in code and in the words of
 * its comments, so that a reader who knows the structure finds it by its name.
 */
const structures: readonly (readonly [file: string, name: string, term: RegExp])[] = [
  ['packages/engine/src/predicate/regex/lazy-dfa.ts', 'LazyDfa', /lazy DFA/i],
  ['packages/engine/src/predicate/regex/nfa.ts', 'Nfa', /Thompson NFA/],
  ['packages/engine/src/kernel/teddy-filter.ts', 'buildTeddyFilter', /Hyperscan/],
  ['packages/engine/src/candidates/q-gram-index.ts', 'QGramIndex', /q-gram/i],
  ['packages/engine/src/run/tables/intern-table.ts', 'InternTable', /interning table/i],
  ['packages/engine/src/run/tables/open-addressing-map.ts', 'OpenAddressingMap', /linear probing/],
  ['packages/engine/src/plan/csr-lists.ts', 'CsrLists', /compressed sparse rows/i],
  ['packages/engine/src/run/tables/growable-int32-array.ts', 'GrowableInt32Array', /growable array/i],
  ['packages/engine/src/run/match-cache.ts', 'MatchCache', /signature/],
  ['packages/engine/src/plan/branch-program.ts', 'BranchProgram', /jump/],
  ['packages/engine/src/correlation/time/reorder-buffer.ts', 'ReorderBuffer', /binary heap/],
  ['packages/server/src/ingestion/connectors/keyed-semaphore.ts', 'KeyedSemaphore', /keyed semaphore/i],
  ['packages/common/src/serial-queue.ts', 'SerialQueue', /serial queue/i],
  ['packages/storage/src/events/block/bloom-filter.ts', 'BlockFilter', /Bloom filter/],
  ['packages/storage/src/events/search/time-slicer.ts', 'TimeSlicer', /time|slice/i],
  ['packages/storage/src/bus/local/wakeup.ts', 'Wakeup', /condition variable/i],
  ['packages/detection/src/stages/stage.ts', 'withRetry', /retr/i],
  ['packages/detection/src/stages/stage.ts', 'ErrorClass', /'retry' \| 'fatal' \| 'reject'/],
  ['packages/storage/src/log/write-ahead-log.ts', 'WriteAheadLog', /write-ahead log/i],
  ['packages/state/src/sqlite/lists/list-page.ts', 'ListKey', /keyset/],
  ['packages/state/src/ports/version-conflict.ts', 'ExpectedVersions', /optimistic concurrency/i],
  ['packages/model/src/access/principal.ts', 'Principal', /request/],
  ['packages/server/src/ingestion/connectors/connector-deps.ts', 'ConnectorDeps', /Dependencies/],
  ['packages/model/src/enrichment/observables.ts', 'Observables', /Observables of an event/],
  ['packages/engine/src/taxonomy/observable-fields.ts', 'observableFields', /observables/],
]

test.for(structures)('%s has %s', ([file, name, term]) => {
  const text = readText(file)
  expect(text).toMatch(new RegExp(`(?:class|function|type|const) ${name}\\b`))
  expect(text).toMatch(term)
})

/** Coined names that the standard ones replaced; "room" means neither dependencies nor space. */
const coined = new RegExp(`^export (?:abstract )?(?:class|function\\*?|const|type) (${[
  'TableSearch', 'Automaton', 'LineFilter', 'WindowGroup', 'NeedleFinder', 'FilterOfBlock', 'ListTable', 'PairTable', 'NumberLists',
  'NumberStore', 'Recollection', 'Branches', 'Pending', 'Turns', 'OneByOne', 'Arrival', 'insist', 'RecordLog', 'SeenVersions',
  '\\w+Room', 'Subject', 'subjectOf', 'Said', 'Asked', 'Held', 'Sought', 'Told', 'Found[A-Z]\\w*', 'Known[A-Z]\\w*', 'Stated[A-Z]\\w*',
  'Shown[A-Z]\\w*', 'KeptAnswer', 'TakenOver', 'Wanted', 'Judge', 'settle', 'take', 'tell', 'heldUp', 'notKept', 'othersFirst',
  'untilToldToStop', 'orExit', 'tellNobody', 'isMeant', 'becomes',
].join('|')})\\b`, 'm')

test('no file exports a coined name', () => {
  const found = listFiles('packages/*/{src,assembly}/**/*.{ts,tsx}').flatMap((file) => {
    const name = coined.exec(readText(file))?.[1]
    return name === undefined ? [] : [`${file} ${name}`]
  })
  expect(found).toEqual([])
})
