import type { FormulaTerm } from '../../sigma/disjunctive-form.ts'
import type { Contribution } from '../contribution.ts'
import type { Instant } from '../time/time-scale.ts'
import { ExactAggregate } from './aggregate.ts'
import type { StateCell, StateCells } from './aggregate.ts'
import { ChainLengths, TermChains } from './chains.ts'
import type { Chains } from './chains.ts'
import { LastSeen } from './last-seen.ts'

/** Chains of members in order, and the last event of each member. */
abstract class SeenChains<Kind extends Chains> extends ExactAggregate {
  readonly seen: LastSeen
  protected readonly chains: Kind

  constructor(memberCount: number, chains: Kind) {
    super()
    this.seen = new LastSeen(memberCount)
    this.chains = chains
  }

  add(group: number, contribution: Contribution): void {
    this.seen.add(group, contribution)
    this.chains.add(group, contribution.member, contribution.at)
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    this.seen.expire(group, until, isInclusive)
    this.chains.expire(group, until, isInclusive)
  }

  oldestAt(group: number): Instant {
    return Math.min(this.seen.oldestAt(group), this.chains.oldestAt(group))
  }

  byteLength(): number {
    return this.seen.byteLength() + this.chains.byteLength
  }

  save(group: number, out: StateCell[]): void {
    this.seen.save(group, out)
    this.chains.save(group, out)
  }

  load(group: number, cells: StateCells): void {
    this.seen.load(group, cells)
    this.chains.load(group, cells)
  }
}

/** The longest chain of members in order: its length is what thresholds compare. */
export class OrderedMembers extends SeenChains<ChainLengths> {
  constructor(memberCount: number) {
    super(memberCount, new ChainLengths(memberCount))
  }

  valueOf(group: number): number {
    return this.chains.longest(group)
  }
}

/** Alternatives of members in order, without any that must not be seen. */
export class OrderedTerms extends SeenChains<TermChains> {
  constructor(memberCount: number, terms: readonly FormulaTerm[]) {
    super(memberCount, new TermChains(terms.map(({ seen }) => seen)))
  }

  hasChain(group: number): boolean {
    return this.chains.hasChain(group)
  }

  valueOf(group: number): number {
    return this.seen.valueOf(group)
  }
}
