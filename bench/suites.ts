import type { Suite } from './suite.ts'
import { candidatesSuite } from './suites/candidates.ts'
import { compileSuite } from './suites/compile.ts'
import { correlationSuite } from './suites/correlation.ts'
import { fleetSuite } from './suites/fleet.ts'
import { groupMemorySuite } from './suites/group-memory.ts'
import { matchSuite } from './suites/match.ts'
import { memorySuite } from './suites/memory.ts'
import { needlesSuite } from './suites/needles.ts'
import { ringSuite } from './suites/ring.ts'
import { slopeSuite } from './suites/slope.ts'
import { worstSuite } from './suites/worst.ts'

/** Every suite, the quick ones first. */
export const suites: readonly Suite[] = [
  fleetSuite, matchSuite, candidatesSuite, needlesSuite, compileSuite, memorySuite, groupMemorySuite, ringSuite, correlationSuite,
  worstSuite, slopeSuite,
]
