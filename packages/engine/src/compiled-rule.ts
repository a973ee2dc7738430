import type { RuleLogsource } from './event/event.ts'
import type { Predicate } from './predicate/predicate.ts'
import { pickDetails } from './sigma/rule.ts'
import type { DetectionRule, Level, RuleDetails } from './sigma/rule.ts'

/** A detection rule, compiled: its attributes, its predicate and its source. */
export type CompiledRule = RuleDetails & {
  /** The rule's id in lower case; derived from a stated id that is no UUID, or from its content if it has none. */
  readonly id: string
  /** The name by which other rules refer to it. */
  readonly name: string | undefined
  readonly title: string
  readonly level: Level | undefined
  readonly logsource: RuleLogsource
  /** The `path` of the source that the rule was read from. */
  readonly path: string
  /** Every attribute, typed; the ones that alerts show are members of the compiled rule, too. */
  readonly rule: DetectionRule
  /** Its detection as data: the input of explanations and printers. */
  readonly predicate: Predicate
}

/** A compiled rule without its attributes. */
export type RuleHead = Omit<CompiledRule, 'rule' | keyof RuleDetails>

/** A compiled rule; subclasses say where its predicate and its attributes come from. */
export abstract class RuleHeadView implements CompiledRule {
  readonly id: string
  readonly name: string | undefined
  readonly title: string
  readonly level: Level | undefined
  readonly logsource: RuleLogsource
  readonly path: string
  abstract readonly predicate: Predicate
  abstract readonly rule: DetectionRule

  constructor({ id, name, title, level, logsource, path }: Omit<RuleHead, 'predicate'>) {
    this.id = id
    this.name = name
    this.title = title
    this.level = level
    this.logsource = logsource
    this.path = path
  }

  get status(): RuleDetails['status'] {
    return this.rule.status
  }

  get description(): string | undefined {
    return this.rule.description
  }

  get author(): string | undefined {
    return this.rule.author
  }

  get references(): readonly string[] {
    return this.rule.references
  }

  get date(): string | undefined {
    return this.rule.date
  }

  get modified(): string | undefined {
    return this.rule.modified
  }

  get tags(): readonly string[] {
    return this.rule.tags
  }

  get falsepositives(): readonly string[] {
    return this.rule.falsepositives
  }

  get fields(): readonly string[] {
    return this.rule.fields
  }

  /** What a log shows of the rule: all but its predicate and its detection. */
  toJSON(): object {
    const { id, name, title, level, logsource, path } = this
    return { id, name, title, level, ...pickDetails(this.rule), logsource, path }
  }
}

/** A compiled rule that keeps its predicate; subclasses say where its attributes come from. */
export abstract class RuleView extends RuleHeadView {
  readonly predicate: Predicate

  constructor(head: RuleHead) {
    super(head)
    this.predicate = head.predicate
  }
}

/** A compiled rule that keeps its attributes. */
export class ParsedRule extends RuleView {
  readonly rule: DetectionRule

  constructor(head: RuleHead, rule: DetectionRule) {
    super(head)
    this.rule = rule
  }
}
